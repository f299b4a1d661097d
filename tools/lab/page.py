"""The report of the lab as one self-contained HTML page: plots, and the tables behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final

from engine import lab
from engine.lab import Compared, Count, Findings
from tools.lab.plots import PlotMark, PlotRow, spreads, whiskers

MOST_DRAWN: Final = 20
"""Cards in a plot. The tables have all."""
EXPECTED: Final = 0.05
"""The fraction of 95 % intervals that exclude the true value."""
TITLES: Final[Mapping[lab.How, str]] = {
    "held": "Held in the first hand",
    "drawn": "Drawn at any time",
    "played": "Played",
}
_STYLE: Final = """
:root{color-scheme:light dark;--ground:#fff;--ink:#1c2430;--soft:#5b6675;--line:#d5dbe3;\
--a:#1565c0;--b:#b8500a}
@media(prefers-color-scheme:dark){:root{--ground:#12161c;--ink:#e7ebf0;--soft:#a3adba;--line:#333c48;\
--a:#6cb2ff;--b:#ffa45c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1080px;padding:16px;background:var(--ground);color:var(--ink);\
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.2;margin:.4em 0;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:1.6em 0 .3em}
p,li{max-width:70ch}.soft,figcaption{color:var(--soft);font-size:.9rem}
.pair{display:grid;gap:0 24px;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr))}
.pair>*{min-width:0}
.rules{border-left:5px solid;margin:8px 0;padding:2px 12px;overflow-wrap:anywhere}
.rules.a{border-color:var(--a)}.rules.b{border-color:var(--b)}.rules ul{margin:.2em 0;padding-left:1.1em}
figure{margin:0;max-width:520px}svg{display:block;width:100%;height:auto}
.key{font-weight:700}.key.a{color:var(--a)}.key.b{color:var(--b)}
svg text{font-size:11px;fill:var(--ink)}
.label,.end{text-anchor:end}svg .tick{fill:var(--soft);text-anchor:middle}svg .tick.end{text-anchor:end}
.name{text-anchor:middle}.grid{stroke:var(--line)}.axis{stroke:var(--soft)}
.even{stroke:var(--soft);stroke-dasharray:4 3}
.bar{fill:none;stroke-width:1.6}.bar.a{stroke:var(--a)}.bar.b{stroke:var(--b)}
.dot.a,.column.a{fill:var(--a)}.dot.b,.column.b{fill:var(--b)}
details{margin:.6em 0}summary{cursor:pointer}.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.85rem}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
"""


def percent(value: float) -> str:
    """Format a share as a percentage.

    >>> percent(0.5234)
    '52.3 %'
    """
    return f"{100 * value:.1f} %"


def between(ends: lab.Interval, number: Callable[[float], str] = percent) -> str:
    """Format an interval."""
    return f"{number(ends[0])} to {number(ends[1])}"


def share(count: Count) -> str:
    """Format a share with its interval and number of seats."""
    if not count.seats:
        return "none"
    ends = between(lab.wilson(count.won, count.seats))
    return f"{percent(count.won / count.seats)} ({ends}; {count.seats:,})"


def chance_line(found: Sequence[Compared], one: Findings, other: Findings) -> str:
    """Say how many intervals of cards exclude no effect, and how many would by chance alone."""
    if not found:
        return f"No card came to {lab.ENOUGH} seats under both; more games would tell."
    telling = sum(each.telling for each in found)
    line = f"Of {len(found):,} differences between cards, {telling:,} exclude 0"
    line += f"; about {EXPECTED * len(found):.0f} would by chance alone."
    for key, each in _both(one, other):
        unlike, cards = lab.unlike(each)
        line += f" In {key}, {unlike:,} of {cards:,} shares exclude the even {percent(each.even)}"
        line += f" ({EXPECTED * cards:.0f} by chance alone)."
    return line


def summary(
    one: Findings, other: Findings, found: Sequence[Compared], card_names: Mapping[str, str]
) -> list[str]:
    """Summarise the findings about seats, length and cards in sentences."""
    lines = []
    for key, each in _both(one, other):
        best = max(range(len(each.seats)), key=lambda seat: each.seats[seat].won, default=0)
        if len(each.seats) > 1 and each.games:
            ends = lab.wilson(each.seats[best].won, each.games)
            clear = ends[0] > each.even
            line = (
                f"{key}: seat {best + 1} wins {percent(each.seats[best].won / each.games)} ({between(ends)})"
            )
            lines.append(line + (", an advantage." if clear else f"; even would be {percent(each.even)}."))
        if len(each.seats) > 1 and each.began.seats:
            ends = lab.wilson(each.began.won, each.began.seats)
            won = percent(each.began.won / each.began.seats)
            line = f"{key}: the first player wins {won} ({between(ends)})"
            if each.even < ends[0]:
                lines.append(line + ", an advantage.")
            elif each.even > ends[1]:
                lines.append(line + ", a disadvantage.")
            else:
                lines.append(line + f"; even would be {percent(each.even)}.")
    pairs = lab.paired(one, other)
    low, high = pairs.ci95
    if one.games and other.games:
        same = "no clear difference" if low <= 0 <= high else f"A takes {'longer' if low > 0 else 'less'}"
        means = f"{one.decisions.mean:.1f} decisions in A, {other.decisions.mean:.1f} in B"
        deals = f"{pairs.mean:+.1f} ({low:+.1f} to {high:+.1f})"
        lines.append(f"Length: {means}; on the same deals {deals}: {same}.")
    telling = [each for each in found if each.telling]
    if len(telling) > 2 * EXPECTED * len(found):
        most = telling[0]
        name = card_names.get(most.card, most.card)
        mine, theirs = (percent(each.won / each.seats) for each in (most.one, most.other))
        lines.append(f"Cards: the largest difference is {name}, {most.how}: {mine} in A, {theirs} in B.")
    elif found:
        few = f"{len(telling):,} of {len(found):,} differences exclude 0"
        by_chance = f"chance alone gives about {EXPECTED * len(found):.0f}"
        lines.append(f"Cards: {few}, and {by_chance}, so none is certain.")
    return lines


def page(
    one: Findings,
    other: Findings,
    card_names: Mapping[str, str],
    options: Mapping[str, Sequence[str]],
    about: str,
) -> str:
    """Return the whole page.

    `card_names` are by key, `options` are those of A and B in words, and `about` says how the games were
    played.
    """
    by_how = {how: lab.compared(one, other, how) for how in lab.HOWS}
    every = sorted((each for found in by_how.values() for each in found), key=lambda each: -abs(each.differs))
    title = f"{one.rules} and {other.rules}"
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="soft">{escape(about)}</p>',
        f'<div class="pair">{_rules("a", one, options["A"])}{_rules("b", other, options["B"])}</div>',
        "<h2>In short</h2>",
        _listed(summary(one, other, every, card_names)),
        _seats(one, other),
        _lengths(one, other),
        "<h2>Cards</h2>",
        "<p>The win rate of seats that held a card in their first hand, drew it at any time, or chose to play"
        " it. A card that is only played when winning looks strong where it was played, so the first hand"
        " says most about the card itself. A seat counts once per game.</p>",
        f'<p class="soft">{escape(chance_line(every, one, other))}</p>',
        '<div class="pair">',
        *(_cards(how, found, one, other, card_names) for how, found in by_how.items()),
        "</div>",
        '<p class="soft">Each interval holds the true value with 95 % confidence, taken by itself: shares by'
        " Wilson, differences by Newcombe, means by the normal distribution.</p>",
    ]
    # keeps a number and its % on one line
    shown = "".join(body).replace(" %", "&#160;%")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>{shown}</body></html>\n"
    )


def _key() -> str:
    return '<span class="key a">● A</span> <span class="key b">■ B</span>'


def _listed(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _rules(key: str, found: Findings, options: Sequence[str]) -> str:
    rules = found.rules
    mark = "● A" if key == "a" else "■ B"
    seats = f"{rules.seats} seat{'s' if rules.seats > 1 else ''}, {rules.level} opponents"
    head = f'<span class="key {key}">{mark}</span> <b>{escape(str(rules))}</b>'
    lines = _listed([*options, seats, f"{found.games:,} games, {found.draws:,} drawn"])
    return f'<div class="rules {key}">{head}{lines}</div>'


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{_key()} · {escape(caption)}</figcaption></figure>"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], what: str) -> str:
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f"<details><summary>{escape(what)}</summary>"
        f'<div class="wide"><table><tr>{head}</tr>{body}</table></div></details>'
    )


def _mark(count: Count | None) -> PlotMark | None:
    if count is None or not count.seats:
        return None
    return PlotMark(count.won / count.seats, *lab.wilson(count.won, count.seats))


def seat_rows(one: Findings, other: Findings) -> list[tuple[str, Count | None, Count | None]]:
    """Return the wins of the first player and of each seat under both sets of rules."""
    began = [("First player", one.began, other.began)] if one.began.seats or other.began.seats else []
    return began + [
        (
            f"Seat {seat + 1}",
            one.seats[seat] if seat < len(one.seats) else None,
            other.seats[seat] if seat < len(other.seats) else None,
        )
        for seat in range(max(len(one.seats), len(other.seats)))
    ]


def _seats(one: Findings, other: Findings) -> str:
    rows = seat_rows(one, other)
    even = one.even if len(one.seats) == len(other.seats) else None
    marks = [PlotRow(name, (_mark(mine), _mark(theirs))) for name, mine, theirs in rows]
    svg = whiskers("Win share of each seat, with 95 % intervals", "share of games won", marks, even)
    cells = [(name, *(share(each or Count()) for each in (mine, theirs))) for name, mine, theirs in rows]
    caption = "The dashed line: no seat has an advantage." if even is not None else "Win shares."
    table = _table(("", "A: share, 95 %, games", "B: share, 95 %, games"), cells, "The figures of the seats")
    return f"<h2>Seats</h2>{_figure(svg, caption)}{table}"


def length_rows(one: Findings, other: Findings) -> list[tuple[str, str, str]]:
    """Return decisions, turns, margins and draws of both sets of rules as text."""
    rows = []
    for name, mine, theirs in (
        ("decisions", one.decisions, other.decisions),
        ("turns", one.turns, other.turns),
        ("margin", one.margin, other.margin),
    ):
        rows += [
            (f"{name}, {what}", _spread(mine, what), _spread(theirs, what))
            for what in ("mean", "median", "quartiles", "range")
        ]
    draws = [
        f"{each.draws:,} ({percent(each.draws / each.games)})" if each.games else "0" for each in (one, other)
    ]
    return [*rows, ("draws", draws[0], draws[1])]


def _spread(length: lab.Length, what: str) -> str:
    def number(value: float) -> str:
        return f"{value:,.1f}"

    low, middle, high = length.quartiles
    return {
        "mean": f"{number(length.mean)} ({between(length.ci95, number)})",
        "median": number(middle),
        "quartiles": f"{number(low)} to {number(high)}",
        "range": f"{number(length.least)} to {number(length.most)}",
    }[what]


def _lengths(one: Findings, other: Findings) -> str:
    figures = []
    for place, what, note in (
        (0, "decisions", "A choice between at least two actions; forced moves do not count."),
        (1, "turns", "A turn lasts until another seat decides."),
    ):
        series = [(key, [each[place] for each in found.lengths.values()]) for key, found in _both(one, other)]
        figures.append(_figure(spreads(f"{what} in a game", f"{what} in a game", series), note))
    table = _table(("", "A", "B"), length_rows(one, other), "The figures of length, margins and draws")
    return f'<h2>Length</h2><div class="pair">{"".join(figures)}</div>{table}'


def _both(one: Findings, other: Findings) -> tuple[tuple[str, Findings], ...]:
    return ("A", one), ("B", other)


def _cards(
    how: lab.How, found: Sequence[Compared], one: Findings, other: Findings, card_names: Mapping[str, str]
) -> str:
    title = TITLES[how]
    if not found:
        return f"<section><h3>{title}</h3><p>No card came to {lab.ENOUGH} seats under both.</p></section>"
    drawn = found[:MOST_DRAWN]
    # only the name: numbers and symbols are in the table
    short = {card: name.partition(" · ")[0] for card, name in card_names.items()}
    rows = [PlotRow(short.get(each.card, each.card), (_mark(each.one), _mark(each.other))) for each in drawn]
    even = one.even if len(one.seats) == len(other.seats) else None
    svg = whiskers(f"{title}: win share of cards, with 95 % intervals", "share of wins", rows, even)
    kept = f"The {len(drawn)} of {len(found)} cards" if len(drawn) < len(found) else f"All {len(found)} cards"
    cells = [
        (
            card_names.get(each.card, each.card),
            share(each.one),
            share(each.other),
            f"{100 * each.differs:+.1f} ({100 * each.ci95[0]:+.1f} to {100 * each.ci95[1]:+.1f})",
        )
        for each in found
    ]
    heads = ("card", "A: share, 95 %, seats", "B: share, 95 %, seats", "A − B, points of 100")
    table = _table(heads, cells, f"All {len(found)} cards in figures")
    caption = f"{kept} with the largest difference between A and B first."
    return f"<section><h3>{title}</h3>{_figure(svg, caption)}{table}</section>"
