"""Write what follows from the rulebook: `python tools/rules_index.py` after a change of a page or a mark.

    docs/rules/tested.md    every sentence and decision, with the tests that name it
    docs/rules/README.md    the table of all decisions

A test names its rules with a mark: `@pytest.mark.rule("duel52", 7, "6.5")`, numbers for decisions, texts for
sentences. tests/house/test_citations.py fails while a page is out of date.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "rules"
TESTED = FOLDER / "tested.md"
README = FOLDER / "README.md"
BEGIN = "<!-- decisions: written by tools/rules_index.py -->\n"
END = "<!-- end -->\n"
TEXT_ONLY = "(text only)"
SHORT = 200
"""Maximum length of a text on other pages: whole sentences, at least one."""

SECTION = re.compile(r'## <a id="section-(\d+)"></a>(\d+)\. (.+)')
DECISION = re.compile(r'### <a id="decision-(\d+)"></a>(\d+)\. (.+)')
SENTENCE = re.compile(r"- \*\*(\d+)\.(\d+)\*\* (.+)")
WHY = "*Why:* "


class BrokenRulebook(Exception):
    """A page or a mark does not follow the rulebook's README; the message names file and line."""


class IndexedDecision(NamedTuple):
    """A question left open by a source, the first paragraph of the choice, and the reason."""

    question: str
    choice: str
    why: str


class IndexedPage(NamedTuple):
    """One family: the titles of its sections, its sentences by number ("3.2"), and its decisions."""

    family: str
    title: str
    sections: Mapping[int, str]
    sentences: Mapping[str, str]
    decisions: Mapping[int, IndexedDecision]

    def has(self, number: str | int) -> bool:
        """Return whether this decision (a number) or sentence (a text) exists."""
        return number in (self.decisions if isinstance(number, int) else self.sentences)


class RuleMark(NamedTuple):
    """A test and the rules of one page it names: numbers for decisions, texts for sentences."""

    path: str
    test: str
    family: str
    numbers: tuple[str | int, ...]


def read_page(family: str, text: str) -> IndexedPage:
    """Parse a page.

    Raises:
        BrokenRulebook: a line breaks the format; the message names it.
    """
    sections: dict[int, str] = {}
    sentences: dict[str, str] = {}
    decisions: dict[int, IndexedDecision] = {}
    lines = text.splitlines()
    count = 0

    def must(truth: bool, at: int, problem: str) -> None:
        if not truth:
            raise BrokenRulebook(f"{family}.md, line {at + 1}: {problem}")

    for at, line in enumerate(lines):
        if found := SECTION.fullmatch(line):
            number, count = len(sections) + 1, 0
            must(found[1] == found[2] == str(number), at, f"this must be section {number}, in its anchor too")
            must(not decisions, at, "a section comes before the decisions")
            sections[number] = found[3]
        elif found := DECISION.fullmatch(line):
            number = len(decisions) + 1
            must(
                found[1] == found[2] == str(number), at, f"this must be decision {number}, in its anchor too"
            )
            body = _paragraphs(lines[at + 1 :])
            must(bool(body) and not body[0].startswith(WHY), at, "a decision says what was chosen")
            whys = [part.removeprefix(WHY) for part in body if part.startswith(WHY)]
            must(len(whys) == 1, at, f"a decision says once why, in a paragraph that begins with {WHY}")
            decisions[number] = IndexedDecision(found[3], body[0], whys[0])
        elif found := SENTENCE.fullmatch(line):
            count += 1
            due = f"{len(sections)}.{count}"
            must(f"{found[1]}.{found[2]}" == due, at, f"this must be sentence {due}")
            sentences[due] = found[3]
        else:
            must(
                line == "## Decisions" or not re.match(r"##|- \*\*\d|\*\*\d", line),
                at,
                "a heading or number that does not have its form",
            )
    must(bool(lines) and lines[0].startswith("# "), 0, "a page begins with its title")
    return IndexedPage(family, lines[0].removeprefix("# "), sections, sentences, decisions)


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Return the paragraphs before the next heading, each as one line."""
    body = []
    for line in lines:
        if line.startswith("#"):
            break
        body.append(line)
    return [" ".join(part.split()) for part in "\n".join(body).split("\n\n") if part.strip()]


def rulebook() -> dict[str, IndexedPage]:
    """Return all pages by family, without the README and the generated page."""
    return {
        path.stem: read_page(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.md"))
        if path not in (TESTED, README)
    }


def marks_of(path: str, source: str) -> Iterator[RuleMark]:
    """Yield the rules that the tests of a module name, by decorators or by `pytestmark`.

    Raises:
        BrokenRulebook: a mark is somewhere else, or has arguments other than a family and numbers.
    """
    tree = ast.parse(source)
    whole: list[tuple[str, tuple[str | int, ...]]] = []
    seen = 0
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
        ):
            value = node.value
            calls = value.elts if isinstance(value, ast.List) else [value]
            found = [one for call in calls if (one := _rule(path, call))]
            whole += found
            seen += len(found)
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
            own = [one for call in node.decorator_list if (one := _rule(path, call))]
            seen += len(own)
            for family, numbers in (*whole, *own):
                yield RuleMark(path, node.name, family, numbers)
    written = sum(isinstance(node, ast.Attribute) and _is_mark(node) for node in ast.walk(tree))
    if written != seen:
        raise BrokenRulebook(f"{path}: a mark `rule` belongs on a test function or into pytestmark")


def _is_mark(node: ast.Attribute) -> bool:
    return ast.unparse(node) == "pytest.mark.rule"


def _rule(path: str, call: ast.expr) -> tuple[str, tuple[str | int, ...]] | None:
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _is_mark(call.func)):
        return None
    said = [arg.value if isinstance(arg, ast.Constant) else None for arg in call.args]
    family, *rest = said or [None]
    numbers = tuple(one for one in rest if type(one) is int or isinstance(one, str))
    if not isinstance(family, str) or not rest or len(numbers) != len(rest) or call.keywords:
        raise BrokenRulebook(
            f'{path}, line {call.lineno}: a mark reads pytest.mark.rule("duel52", 7, "6.5"), with a family, '
            "numbers of decisions and texts for sentences"
        )
    return family, numbers


def marks() -> list[RuleMark]:
    """Return all marks of all tests, in the order of their files."""
    return [
        mark
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for mark in marks_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def short(text: str) -> str:
    """Return the first sentences of a text, up to a limit of length."""
    first, *more = re.split(r"(?<=[.?!]) (?=[A-Z0-9*`\"])", text)
    said = first
    for sentence in more:
        if len(said) + len(sentence) > SHORT:
            break
        said += " " + sentence
    return said.removesuffix(":") + "." if said.endswith(":") else said


def cell(family: str, text: str) -> str:
    """Return text for a table of another page, with decisions linked and those in brackets left out."""
    text = re.sub(r" \((?:decisions?|sections?) [^)]*\)", "", text)
    text = re.sub(
        r"\b(decision|section)(s? (\d+)(?:\.\d+)?)",
        lambda found: f"[{found[0]}]({family}.md#{found[1].lower()}-{found[3]})",
        text,
        flags=re.IGNORECASE,
    )
    return text.replace("|", "\\|")


def decisions_table(book: Mapping[str, IndexedPage]) -> str:
    """Return the README's table of every decision."""
    rows = ["", "| game, decision | open | we chose | why |", "|---|---|---|---|"]
    for family, page in book.items():
        for number, (question, choice, why) in page.decisions.items():
            said = (question, short(choice), why[:1].upper() + why[1:])
            link = f"[{page.title.partition(':')[0]} {number}]({family}.md#decision-{number})"
            rows.append(f"| {link} | {' | '.join(cell(family, text) for text in said)} |")
    return "\n".join((*rows, "", ""))


def tested_page(book: Mapping[str, IndexedPage], found: Sequence[RuleMark]) -> str:
    """Return the page that shows each sentence with the tests that name it."""
    tests: dict[tuple[str, str | int], list[str]] = defaultdict(list)
    for mark in found:
        for number in mark.numbers:
            where = f"[{mark.test.removeprefix('test_').replace('_', ' ')}](../../{mark.path})"
            tests[mark.family, number].append(where)
    total = sum(len(page.sentences) + len(page.decisions) for page in book.values())
    held = len(tests)
    parts = [
        "# Rules and their tests\n",
        "Written by `python tools/rules_index.py`; do not edit. Sentences and decisions are shortened, the "
        "whole stands behind the link. A test is here if it names the number in a mark "
        "([how](README.md#how-to-cite)).\n",
        f"{held} of {total} are named by {len({(mark.path, mark.test) for mark in found})} tests.\n",
    ]
    for family, page in book.items():
        rows: list[tuple[str, str | int, str]] = [
            (f"[{number}]({family}.md#section-{number.split('.')[0]})", number, short(text))
            for number, text in page.sentences.items()
        ]
        rows += [
            (f"[{number}]({family}.md#decision-{number})", number, f"{one.question} {short(one.choice)}")
            for number, one in page.decisions.items()
        ]
        bare = [label for label, number, _ in rows if not tests.get((family, number))]
        parts.append(f"## {page.title}\n")
        parts.append(f"Named by no test: {', '.join(bare) if bare else 'none'}.\n")
        parts.append("| | says | tests |\n|---|---|---|")
        parts += [
            f"| {label} | {cell(family, said)} | {'; '.join(tests.get((family, number), ())) or '–'} |"
            for label, number, said in rows
        ]
        parts.append("")
    return "\n".join(parts).rstrip("\n") + "\n"


def written() -> dict[Path, str]:
    """Return the expected content of each page."""
    book = rulebook()
    front = README.read_text(encoding="utf-8")
    before, rest = front.split(BEGIN)
    return {
        TESTED: tested_page(book, marks()),
        README: before + BEGIN + decisions_table(book) + END + rest.split(END)[1],
    }


def main() -> None:
    """Write both pages, and print which of them changed."""
    for path, text in written().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
