"""Attached files: their bytes in memory, their signed addresses, and what their headers say."""

from __future__ import annotations

import hashlib
import hmac
import mimetypes
import re
import struct
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import quote

from playground.ids import Snowflakes
from playground.model import Attachment

# Files that no message names any more stay a while: a page may be about to fetch one.
KEEP_ORPHANS = 200


@dataclass(slots=True)
class Upload:
    """A file of a request before it belongs to a message."""

    filename: str
    data: bytes
    content_type: str


class Files:
    """Keeps attachments and makes their addresses."""

    def __init__(self, ids: Snowflakes, secret: bytes) -> None:
        self._ids = ids
        self.secret = secret
        self._kept: dict[int, Attachment] = {}
        self._orphans: OrderedDict[int, None] = OrderedDict()
        self.base = ""

    def add(self, upload: Upload, channel_id: int, *, ephemeral: bool = False) -> Attachment:
        """Store a file and return it as an attachment."""
        number = self._ids.next()
        name = clean_name(upload.filename)
        url = f"{self.base}/cdn/attachments/{channel_id}/{number}/{quote(name)}?hm={self._sign(number)}"
        content_type = upload.content_type
        if content_type in ("", "application/octet-stream"):
            content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        found = Attachment(number, channel_id, name, upload.data, content_type, url, ephemeral=ephemeral)
        found.spoiler = name.startswith("SPOILER_")
        size = image_size(upload.data)
        if size:
            found.width, found.height = size
        self._kept[number] = found
        return found

    def _sign(self, number: int) -> str:
        return hmac.new(self.secret, str(number).encode(), hashlib.sha256).hexdigest()[:32]

    def release(self, attachment: Attachment) -> None:
        """Note that no message names this file any more."""
        self._orphans[attachment.id] = None
        while len(self._orphans) > KEEP_ORPHANS:
            self._kept.pop(self._orphans.popitem(last=False)[0], None)

    def take_back(self, attachment: Attachment) -> None:
        """Keep a file of an earlier run, under the address that it had."""
        self._kept[attachment.id] = attachment

    def get(self, number: int, signature: str) -> Attachment | None:
        """Return a file when the signature of its address is right."""
        if not hmac.compare_digest(signature.encode(), self._sign(number).encode()):
            return None
        return self._kept.get(number)

    def by_url(self, url: str) -> Attachment | None:
        """Return the file that one of our own addresses names."""
        if not url.startswith(f"{self.base}/cdn/attachments/"):
            return None
        parts = url.removeprefix(f"{self.base}/cdn/attachments/").split("/")
        return self._kept.get(int(parts[1])) if len(parts) == 3 and parts[1].isdecimal() else None


def clean_name(name: str) -> str:
    """Return a file name as Discord keeps it: no folders, no odd characters."""
    tail = name.replace("\\", "/").rsplit("/", 1)[-1]
    return re.sub(r"[^\w.\-]+", "_", tail).strip("_") or "file"


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a PNG, GIF, WebP or JPEG, or None."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:4] == b"GIF8" and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def flat_png(colour: str, size: int = 64) -> bytes:
    """Return a square PNG of one colour: the avatar that everybody has."""
    rgb = bytes.fromhex(colour.removeprefix("#"))
    rows = (b"\0" + rgb * size) * size

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
