"""What no file may hold, and what every file must."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bot.cli import app
from engine import catalog
from tests.house.tree import PINS, ROOT, files, read, texts

MOST_LINES = 600

# A tilde cuts each word, so that this file does not find itself.
FORBIDDEN = {
    "a path of somebody's machine": r"/(?:ro~ot|ho~me|Us~ers|wo~rk)/[A-Za-z.]|[A-Z]:\\Us~ers",
    "the host of a package registry": r"py~pi\.org|pythonhos~ted\.org|registry\.np~mjs|index-u~rl\s*=",
    "a note to do something later": r"\bTO~DO\b|\bFIX~ME\b|\bXX~X\b|\bHA~CK\b",
    "a merge that was not finished": r"^(?:<{7}|>{7}) ",
    "a private key": r"-----BEGIN [A-Z ]*PRIV~ATE KEY",
    "a bot token": r"\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,}",
}
SAMPLES = [
    ("a path of somebody's machine", "see /ho~me/ann/valence"),
    ("a path of somebody's machine", "C:\\Us~ers\\ann"),
    ("the host of a package registry", "https://py~pi.org/simple"),
    ("a note to do something later", "# TO~DO: later"),
    ("a merge that was not finished", "<~<<<<<< HEAD"),
    ("a private key", "-----BEGIN RSA PRIV~ATE KEY-----"),
    ("a bot token", "M" + "a1" * 12 + ".Gabcde." + "b2" * 15),
]

DOCSTRING = re.compile(r'(?:#.*\n)*"""\w')
"""How nearly every module begins; all others are parsed."""
TESTS = [path for path in texts(".py") if path.parts[0] == "tests" and path.name.startswith("test_")]
CODE = [path for path in texts(".py") if path.parts[0] in ("bot", "engine", "playground", "tools")]


def found(pattern: str, text: str) -> list[str]:
    return [match.group() for match in re.finditer(pattern.replace("~", ""), text, re.MULTILINE)]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_holds(what: str) -> None:
    hits = {str(path): hit for path in texts() if (hit := found(FORBIDDEN[what], read(path)))}
    assert hits == {}


@pytest.mark.parametrize(("what", "sample"), SAMPLES)
def test_the_patterns_find_what_they_are_for(what: str, sample: str) -> None:
    assert found(FORBIDDEN[what], sample.replace("~", ""))


def test_no_code_file_is_too_long() -> None:
    long = {str(path): n for path in texts(".py", ".js") if (n := read(path).count("\n")) > MOST_LINES}
    assert long == {}


def test_whoever_silences_the_linter_says_why() -> None:
    bare = [
        f"{path}:{number}"
        for path in texts(".py")
        for number, line in enumerate(read(path).splitlines(), 1)
        if re.search(r"# no~qa(?!: [A-Z0-9, ]+ - \w)".replace("~", ""), line)
    ]
    assert bare == []


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path)
        for path in CODE
        if (text := read(path)).strip()
        and not DOCSTRING.match(text)
        and not ast.get_docstring(ast.parse(text))
    ]
    assert silent == []


def test_every_text_ends_with_one_line_break_and_no_line_with_a_space() -> None:
    bad = []
    for path in texts(".md", ".py", ".toml", ".txt", ".lock", ".js", ".css", ".html", ""):
        text = read(path) if path.parts[0] != "assets" and "LICENSE" not in path.name else ""
        if text and (
            not text.endswith("\n") or text.endswith("\n\n") or re.search(r"[ \t]+$|\r", text, re.M)
        ):
            bad.append(str(path))
    assert bad == []


def test_every_link_between_our_pages_leads_somewhere() -> None:
    broken = []
    for path in texts(".md"):
        prose = re.sub(r"```.*?```", "", read(path), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            place = target.split("#")[0]
            if place and "://" not in place and not (ROOT / path.parent / place).exists():
                broken.append(f"{path}: {target}")
    assert broken == []


def test_every_command_that_a_page_names_is_there() -> None:
    """A page, a sentence or a docstring must not send people to what the command line does not know."""
    known = {
        command.name or str(command.callback.__name__)
        for command in app.registered_commands
        if command.callback
    }
    known |= {str(group.name) for group in app.registered_groups}
    named = {
        (str(path), word)
        for path in texts(".md", ".toml", ".py")
        for word in re.findall(r"(?:^    |`)(?:\$ )?valence ([a-z]+)", read(path), re.MULTILINE)
    }
    assert {command for _, command in named} >= {"simulate", "arena", "doctor"}
    assert [(path, word) for path, word in sorted(named) if word not in known] == []


def test_nothing_is_committed_that_git_should_ignore() -> None:
    unwanted = {".venv", "__pycache__", ".env", "node_modules", ".mypy_cache", "htmlcov"}
    assert [str(path) for path in files() if unwanted & set(path.parts)] == []
    assert [str(path) for path in files() if path.suffix in (".pyc", ".db", ".whl", ".log")] == []


def test_every_test_file_is_found_by_pytest() -> None:
    """A module with tests that is not called test_… would never run, unless such a file runs them."""
    run = {name for path in TESTS for name in re.findall(r"update\(find_tests\((\w+)\)\)", read(path))}
    lost = [
        str(path)
        for path in texts(".py")
        if path.parts[0] == "tests"
        and not path.name.startswith(("test_", "conftest"))
        and path.stem not in run
        and re.search(r"^(?:async )?def test_", read(path), re.MULTILINE)
    ]
    assert lost == []


def test_no_file_imports_from_a_test_file() -> None:
    """Tests share what is in tests/support, so that a test file can be moved and changed on its own."""
    whole, part = r"^ *(?:from|import) tests(?:\.\w+)*\.test_\w+", r"^ *from tests[\w.]* import .*\btest_\w+"
    imports = {str(path): found(f"{whole}|{part}", read(path)) for path in texts(".py")}
    assert {path: lines for path, lines in imports.items() if lines} == {}


def test_a_folder_says_the_name_of_a_game_and_its_files_do_not() -> None:
    families = {
        package.split(".")[1] for package in catalog.PACKAGES.values() if package.startswith("engine.")
    }
    tests = [path for path in files() if path.parts[:2] in (("tests", "engine"), ("tests", "presenters"))]
    tests = [path for path in tests if path.suffix == ".py"]
    assert {path.parent.name for path in tests} & families
    assert [str(path) for path in tests if any(name in path.stem for name in families)] == []


CHANGELOG = Path("CHANGELOG.md")


def test_the_changelog_keeps_its_form() -> None:
    text = read(CHANGELOG)
    assert text.startswith("# Changelog\n")
    heads = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    dates = []
    for head in heads[1:]:
        match = re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})", head)
        assert match, head
        dates.append(match[2])
    assert dates == sorted(dates, reverse=True)
    kinds = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert re.search(r"^- \S", text, re.MULTILINE)


def test_the_pins_are_left_out_of_nothing() -> None:
    assert {str(path) for path in files()} >= PINS


def test_helpers_are_in_support_and_not_in_other_tests() -> None:
    """A file whose tests run again in another setting is imported as a whole, so it does not count."""
    borrowing = re.compile(r"^ *from tests\.(?:\w+\.)*test_\w+ import", re.MULTILINE)
    assert [path for path in texts(".py") if borrowing.search(read(path))] == []
