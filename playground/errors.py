"""Discord's error bodies: one exception, and a collector for forms."""

from __future__ import annotations

from typing import Any

Path = tuple[str | int, ...]


class ApiError(Exception):
    """A refusal as Discord words it; the REST layer turns it into an answer."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        errors: dict[str, object] | None = None,
        *,
        extra: dict[str, object] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors
        self.extra = extra or {}
        self.headers = headers or {}

    def body(self) -> dict[str, object]:
        """Return the JSON body of the refusal."""
        body: dict[str, object] = {"message": self.message, "code": self.code, **self.extra}
        if self.errors:
            body["errors"] = self.errors
        return body

    def lines(self) -> list[str]:
        """Return one readable line per violated field: its path and the reason."""
        found: list[str] = []

        def walk(node: object, path: str) -> None:
            if not isinstance(node, dict):
                return
            for key, value in node.items():
                if key == "_errors":
                    found.extend(f"{path or 'body'}: {item['message']} ({item['code']})" for item in value)
                else:
                    walk(value, f"{path}.{key}" if path else key)

        walk(self.errors or {}, "")
        return found


class FormErrors:
    """Collects the faults of one body and raises them together as 50035."""

    def __init__(self) -> None:
        self._tree: dict[str, Any] = {}

    def add(self, path: Path, code: str, message: str) -> None:
        """Note one fault at a path."""
        node = self._tree
        for part in path:
            node = node.setdefault(str(part), {})
        entry = {"code": code, "message": message}
        listed = node.setdefault("_errors", [])
        if entry not in listed:
            listed.append(entry)

    def __bool__(self) -> bool:
        return bool(self._tree)

    def raise_if_any(self) -> None:
        """Raise ApiError 50035 when a fault was noted."""
        if self._tree:
            raise ApiError(400, 50035, "Invalid Form Body", self._tree)


def invalid(path: Path, code: str, message: str) -> ApiError:
    """Return a 50035 with one fault."""
    form = FormErrors()
    form.add(path, code, message)
    return ApiError(400, 50035, "Invalid Form Body", form._tree)


_UNKNOWN = {
    "Application": 10002,
    "Channel": 10003,
    "Guild": 10004,
    "Member": 10007,
    "Message": 10008,
    "Permission Overwrite": 10009,
    "Role": 10011,
    "User": 10013,
    "Emoji": 10014,
    "Webhook": 10015,
    "interaction": 10062,
    "application command": 10063,
}


def unknown(what: str) -> ApiError:
    """Return Discord's 404 for a thing: `unknown("Channel")`."""
    return ApiError(404, _UNKNOWN[what], f"Unknown {what}")


def unauthorized() -> ApiError:
    """Return the answer to a wrong token."""
    return ApiError(401, 0, "401: Unauthorized")


def missing_access() -> ApiError:
    """Return 50001: the bot cannot see it."""
    return ApiError(403, 50001, "Missing Access")


def missing_permissions() -> ApiError:
    """Return 50013: the bot sees it but may not do it."""
    return ApiError(403, 50013, "Missing Permissions")


def already_acknowledged() -> ApiError:
    """Return 40060: the second first answer."""
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def invalid_webhook_token() -> ApiError:
    """Return 50027: the interaction's token is over."""
    return ApiError(401, 50027, "Invalid Webhook Token")
