"""Request bodies: JSON, or multipart with `payload_json` and `files[n]`."""

from __future__ import annotations

import re

import msgspec

from playground.errors import ApiError
from playground.files import Upload

_BOUNDARY = re.compile(r'boundary="?([^";]+)"?')
_NAME = re.compile(r'[; ]name="?([^";]+)"?')
_FILENAME = re.compile(r'filename="([^"]*)"')
_FILENAME_UTF8 = re.compile(r"filename\*=utf-8''([^;\s]+)", re.IGNORECASE)
_FILE_KEY = re.compile(r"files?\[?(\d*)\]?")


def parse(content_type: str, raw: bytes) -> tuple[object, dict[int, Upload]]:
    """Return the JSON of a body and its files by number. Raises ApiError 50109 or 50035."""
    if not raw:
        return None, {}
    if content_type.startswith("multipart/form-data"):
        return _multipart(content_type, raw)
    if content_type.split(";", maxsplit=1)[0].strip() != "application/json":
        raise ApiError(400, 50035, "Invalid Form Body", extra={"_misc": [f"Content-Type {content_type!r}"]})
    return _json(raw), {}


def _json(raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None


def _multipart(content_type: str, raw: bytes) -> tuple[object, dict[int, Upload]]:
    # The whole body is here already, so cutting it at the boundary beats a streaming reader.
    found = _BOUNDARY.search(content_type)
    if not found:
        raise ApiError(400, 50035, "Invalid Form Body")
    body: object = None
    fields: dict[str, str] = {}
    uploads: dict[int, Upload] = {}
    for part in raw.split(b"--" + found[1].encode())[1:-1]:
        head, _, data = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        data = data.removesuffix(b"\r\n")
        headers = head.decode("utf-8", "replace")
        name = _NAME.search(headers)
        if not name:
            continue
        if name[1] == "payload_json":
            body = _json(data)
            continue
        filename = _filename(headers)
        key = _FILE_KEY.fullmatch(name[1])
        if filename is None or key is None:
            fields[name[1]] = data.decode("utf-8", "replace")
            continue
        kind = re.search(r"content-type:\s*([^\r\n;]+)", headers, re.IGNORECASE)
        number = int(key[1]) if key[1] else len(uploads)
        uploads[number] = Upload(filename, data, kind[1].strip() if kind else "")
    return (fields if body is None else body), uploads


def _filename(headers: str) -> str | None:
    encoded = _FILENAME_UTF8.search(headers)
    if encoded:
        from urllib.parse import unquote

        return unquote(encoded[1])
    plain = _FILENAME.search(headers)
    return plain[1] if plain else None
