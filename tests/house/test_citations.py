"""Every citation of the rulebook leads somewhere, and its pages keep their form (docs/rules/README.md)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.tree import read, texts
from tools import rules_index
from tools.rules_index import BrokenRulebook, IndexedPage, marks_of, read_page, rulebook

BOOK = rulebook()
FOLDER = Path("docs/rules")

NUMBER = r"\d+(?:\.\d+)?"
CITATION = re.compile(
    rf"(?:docs/rules/(?P<page>\w+)\.md, )?\b(?P<kind>[Dd]ecision|[Ss]ection)(?P<many>s?) "
    rf"(?P<numbers>{NUMBER}(?:(?:, and |, | and | to ){NUMBER})*)"
)
LOOSE = re.compile(
    r"\b(?:decisions?|sections?|rulings?|rule)[ #]*\d|§|\brules/\w+\.md"
    r"|(?-i:\bDESIGN\b|\b[ABCEP]\d\.\d+|\([A-E]\d\))",
    re.IGNORECASE,
)
"""Whatever looks as if it pointed to a rule: each must belong to a citation that can be followed."""
BARE_PAGE = re.compile(r"docs/rules/(\w+)\.md(?!, (?:decision|section))")
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")


class Cited(NamedTuple):
    """What a text names: decisions as numbers, sentences as texts, whole sections as "section 3"."""

    family: str
    number: str | int


def spans(numbers: str, *, decisions: bool) -> Iterator[str | int]:
    """The numbers of `1 to 5 and 11` one by one; a range of sentences or sections runs by its last place."""
    for part in re.split(r", and |, | and ", numbers):
        first, _, last = part.partition(" to ")
        if not last:
            yield int(first) if decisions else first if "." in first else f"section {first}"
            continue
        head, _, low = first.rpartition(".")
        head_too, _, high = last.rpartition(".")
        if head != head_too or int(low) >= int(high):
            raise BrokenRulebook(f"no range: {part}")
        for n in range(int(low), int(high) + 1):
            yield n if decisions else f"{head}.{n}" if head else f"section {n}"


def knows(page: IndexedPage, number: str | int) -> bool:
    if isinstance(number, str) and number.startswith("section "):
        return int(number.removeprefix("section ")) in page.sections
    return page.has(number)


def citations(text: str, family: str) -> Iterator[Cited]:
    """Follow the citations of a text; `family` is the page of bare ones, or "".

    Raises:
        BrokenRulebook: one that leads nowhere, or that has no known form.
    """
    text = " ".join(text.split())
    done = []
    for match in CITATION.finditer(text):
        done.append(match.span())
        named = match["page"] or family
        if named not in BOOK:
            raise BrokenRulebook(f"of which page: {match[0]}")
        found = list(spans(match["numbers"], decisions=match["kind"].lower() == "decision"))
        if bool(match["many"]) != (len(found) > 1):
            raise BrokenRulebook(f"one or several: {match[0]}")
        for number in found:
            if not knows(BOOK[named], number):
                raise BrokenRulebook(f"there is none: {named}, {match[0]}")
            yield Cited(named, number)
    for match in BARE_PAGE.finditer(text):
        done.append(match.span())
        if match[1] not in (*BOOK, "README", "tested"):
            raise BrokenRulebook(f"no page: {match[0]}")
    for match in LOOSE.finditer(text):
        if not any(start <= match.start() and match.end() <= end for start, end in done):
            raise BrokenRulebook(f"no known form: {text[max(0, match.start() - 20) : match.end() + 20]}")


def family_of(path: Path) -> str:
    """The page that a file cites by bare numbers, or ""."""
    if path.parent == FOLDER:
        return path.stem if path.stem in BOOK else ""
    places = (("engine",), ("bot", "presenters"), ("tests", "engine"), ("tests", "presenters"))
    for place in places:
        rest = path.parts[len(place) :]
        if path.parts[: len(place)] == place and rest and rest[0] in BOOK:
            return rest[0]
    return ""


def prose(path: Path) -> Iterator[str]:
    """The comments and docstrings of a module, or a page without the links that are checked elsewhere."""
    source = read(path)
    if path.suffix == ".md":
        yield from LINK.sub("", source).split("\n\n")
        return
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value
    block: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1 and block:
                yield " ".join(block)
                block = []
            block.append(token.string.lstrip("# "))
            last = token.start[0]
    yield " ".join(block)


@pytest.fixture(autouse=True)
def _parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for marks only in modules that have one, and once for all tests."""
    monkeypatch.setattr(rules_index, "marks_of", marks_in)


@cache
def marks_in(path: str, source: str) -> list[rules_index.RuleMark]:
    return list(marks_of(path, source)) if "mark.rule" in source else []


SELF = Path("tests/house/test_citations.py")
CITING = [path for path in texts(".py", ".md") if path != SELF and path.name != "CHANGELOG.md"]


@cache
def followed() -> tuple[list[str], set[Cited]]:
    """The citations of all files that lead nowhere, and what code and tests cite."""
    broken, cited = [], set()
    for path in CITING:
        if path.suffix == ".py" and not LOOSE.search(" ".join(read(path).split())):
            continue  # whatever can be a citation is LOOSE, too, and parsing all files takes seconds
        for text in prose(path):
            try:
                found = list(citations(text, family_of(path)))
            except BrokenRulebook as problem:
                broken.append(f"{path}: {problem}")
            else:
                cited |= {*found} if path.suffix == ".py" else set()
    return broken, cited


def test_every_citation_leads_somewhere() -> None:
    broken, cited = followed()
    assert broken == []
    assert len(cited) > len(BOOK)


def test_every_link_into_the_rulebook_has_its_anchor() -> None:
    broken = []
    for path in texts(".md"):
        for match in LINK.finditer(read(path)):
            place, _, anchor = match["target"].partition("#")
            target = (path.parent / place) if place else path
            if not anchor or "://" in place or target.resolve().parent != FOLDER.resolve():
                continue
            text = read(target)
            heads = {
                re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
                for head in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            }
            if anchor not in heads and f'<a id="{anchor}">' not in text:
                broken.append(f"{path}: {match[0]}")
    assert broken == []


BAD = [
    ("docs/rules/duel52.md, decision 99", "", "there is none"),
    ("docs/rules/duel52.md, sections 6.1 and 6.99", "", "there is none"),
    ("docs/rules/duel52.md, section 44", "", "there is none"),
    ("(decision 7)", "", "of which page"),
    ("docs/rules/chess.md, decision 1", "", "of which page"),
    ("docs/rules/chess.md", "", "no page"),
    ("rules/duel52.md", "", "no known form"),
    ("docs/rules/duel52.md, decisions 7", "", "one or several"),
    ("docs/rules/duel52.md, decision 1 to 3", "", "one or several"),
    ("docs/rules/duel52.md, decisions 5 to 3", "", "no range"),
    ("docs/rules/duel52.md, sections 3.1 to 4.2", "", "no range"),
    ("the rules, §3", "duel52", "no known form"),
    ("(A6.21)", "atom_duel", "no known form"),
    ("who leads (B2)", "atom", "no known form"),
    ("Rule 3: of two Antis", "atom_duel", "no known form"),
    ("the laws of DESIGN", "", "no known form"),
    ("decision #7", "duel52", "no known form"),
]


@pytest.mark.parametrize(("text", "family", "says"), BAD, ids=[bad[0] for bad in BAD])
def test_a_bad_citation_is_found(text: str, family: str, says: str) -> None:
    with pytest.raises(BrokenRulebook, match=says):
        list(citations(text, family))


def test_the_known_forms_are_read() -> None:
    text = "by design, see docs/rules/duel52.md, decisions 1 to 3, 5, and 11; sections 6.2 to 6.4 and 3"
    assert [number for _, number in citations(text, "duel52")] == [
        1,
        2,
        3,
        5,
        11,
        "6.2",
        "6.3",
        "6.4",
        "section 3",
    ]


def test_every_mark_names_what_is_there() -> None:
    lost = [
        (mark.test, mark.family, number)
        for mark in rules_index.marks()
        for number in mark.numbers
        if mark.family not in BOOK or not BOOK[mark.family].has(number)
    ]
    assert lost == []


def test_every_decision_is_cited_by_code_or_a_test_or_says_text_only() -> None:
    cited: set[tuple[str, str | int]] = {*followed()[1]}
    cited |= {(mark.family, number) for mark in rules_index.marks() for number in mark.numbers}
    wrong = [
        f"{family}.md, decision {number}"
        for family, page in BOOK.items()
        for number, decision in page.decisions.items()
        if ((family, number) in cited) == (rules_index.TEXT_ONLY in decision.question)
    ]
    assert wrong == []


def test_what_is_made_from_the_rulebook_is_fresh() -> None:
    for path, text in rules_index.written().items():
        assert path.read_text(encoding="utf-8") == text, "run python tools/rules_index.py"


GOOD = """# Chess

## <a id="section-1"></a>1. Aim

- **1.1** Mate.

## Decisions

### <a id="decision-1"></a>1. Who begins?

White.

*Why:* as always.
"""
BROKEN = [
    ("1. Aim", "2. Aim", "line 3: this must be section 1"),
    ("section-1", "section-2", "line 3: this must be section 1"),
    ("**1.1**", "**1.2**", "line 5: this must be sentence 1.1"),
    ("- **1.1** Mate.", "**1.1** Mate.", "line 5: a heading or number"),
    ("decision-1", "decision-7", "line 9: this must be decision 1"),
    ('### <a id="decision-1"></a>1. Who', "### 1. Who", "line 9: a heading or number"),
    ("*Why:* as always.", "", "line 9: a decision says once why"),
    ("White.\n", "", "line 9: a decision says what was chosen"),
    ("# Chess", "Chess", "line 1: a page begins with its title"),
]


@pytest.mark.parametrize(("old", "new", "says"), BROKEN)
def test_a_page_out_of_form_is_named_with_its_line(old: str, new: str, says: str) -> None:
    page = read_page("chess", GOOD)
    assert (page.sections, page.sentences) == ({1: "Aim"}, {"1.1": "Mate."})
    assert page.decisions[1] == ("Who begins?", "White.", "as always.")
    assert old in GOOD
    with pytest.raises(BrokenRulebook, match=re.escape(says)):
        read_page("chess", GOOD.replace(old, new, 1))


MARKED = """
import pytest
pytestmark = [pytest.mark.slow, pytest.mark.rule("duel52", "1.1")]

@pytest.mark.rule("duel52", 7, "6.5")
def test_it():
    pass
"""


def test_marks_are_read_from_tests_and_whole_modules() -> None:
    assert [mark.numbers for mark in marks_of("here", MARKED)] == [("1.1",), (7, "6.5")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"duel52", 7, "6.5"', '"duel52"'),
        ('"duel52", 7, "6.5"', "7"),
        ('"duel52", 7, "6.5"', '"duel52", 6.5'),
        ('"duel52", 7, "6.5"', '"duel52", number=7'),
        ("def test_it", "def help_it"),
        ("    pass", "    pytest.param(1, marks=pytest.mark.rule('duel52', 1))"),
    ],
)
def test_a_mark_that_nobody_would_read_is_refused(old: str, new: str) -> None:
    assert old in MARKED
    with pytest.raises(BrokenRulebook, match="a mark"):
        list(marks_of("here", MARKED.replace(old, new)))
