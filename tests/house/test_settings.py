"""`.env.example` and the settings say the same."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import SecretStr

from bot.settings import FOR_TESTS, Settings

EXAMPLE = Path(__file__).parents[2] / ".env.example"
LINE = re.compile(r"^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$", re.MULTILINE)


def declared() -> dict[str, str]:
    """Each variable with its default, as text."""
    prefix = Settings.model_config["env_prefix"]
    out = {}
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        assert alias is None or isinstance(alias, str)
        value = field.default
        text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        out[alias or f"{prefix}{name}".upper()] = text
    return out


def test_the_example_names_every_setting_with_its_default() -> None:
    assert dict(LINE.findall(EXAMPLE.read_text(encoding="utf-8"))) == declared()


def test_every_setting_of_the_example_is_explained() -> None:
    """Above each variable stands a comment, perhaps shared with the variable before it."""
    explained = False
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if LINE.match(line):
            assert explained, f"nothing explains {line}"
        else:
            explained = line.startswith("# ")


def test_only_what_must_be_filled_in_stands_open() -> None:
    open_lines = [
        line for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if line[:1] not in ("#", "")
    ]
    assert open_lines == ["DISCORD_TOKEN="]


def test_every_setting_that_a_page_names_exists() -> None:
    known = {*declared(), *FOR_TESTS}
    root = EXAMPLE.parent
    pages = [
        *root.glob("*.md"),
        *root.glob("docs/**/*.md"),
        *root.glob("research/*.md"),
        *root.glob("tools/**/*.md"),
        *root.glob("tests/*.md"),
    ]
    unknown = {
        f"{page.relative_to(root)}: {name}"
        for page in pages
        for name in re.findall(r"\bVALENCE_[A-Z_]+\b", page.read_text(encoding="utf-8"))
        if name not in known
    }
    assert unknown == set()
