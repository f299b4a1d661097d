"""What the tables know of people: said of every column, and what an export and a deletion do with it.

`COLUMNS` is the one place that says so: `bot.store.personal` gives what it lists, `bot.store.forgetting`
takes out what it lists, PRIVACY.md shows it, and a test fails for a column that it does not name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

FORMER: Final = "Former player"
"""The name of somebody who was deleted, in the rows that others' history needs."""

Given: TypeAlias = Literal["given", "own part", "when over", "not"]
Done: TypeAlias = Literal["removed", "replaced", "kept"]


class Held(NamedTuple):
    """What a column is about; what an export gives of it, and what a deletion does with it.

    `given`: the value. `own part`: what in it is the person's. `when over`: in the record of a game that was
    played to its end, and never before. `not`: it says nothing of the person, or is a secret of the table.
    `removed`: the row goes, or the value. `replaced`: by a number or name that is nobody's. `kept`: it stays.
    """

    personal: bool
    given: Given
    done: Done
    what: str


def _mine(given: Given, done: Done, what: str) -> Held:
    return Held(True, given, done, what)


def _none(what: str, given: Given = "not") -> Held:
    return Held(False, given, "kept", what)


COLUMNS: Final[dict[str, dict[str, Held]]] = {
    "games": {
        "id": _none("the number of a table", "given"),
        "game": _none("which game", "given"),
        "version": _none("the version of its rules", "given"),
        "phase": _none("how far it has come", "given"),
        "options": _none("the options chosen", "given"),
        "terms": _mine(
            "own part",
            "replaced",
            "clock, pings, passes, house rules; who was invited or knocks, has left, sits again, asks",
        ),
        "guild_id": _none("the server", "given"),
        "channel_id": _mine("given", "replaced", "the channel; removed where it is a direct message"),
        "message_id": _mine("given", "replaced", "the message; removed where it is a direct message"),
        "posted_at": _none("when that was posted"),
        "host_id": _mine("own part", "replaced", "who opened the table"),
        "locale": _none("the language of the table", "given"),
        "seed": Held(False, "when over", "kept", "the secret of the deal"),
        "nonce": Held(False, "when over", "kept", "belongs to the secret"),
        "created_at": _none("when it was opened", "given"),
        "ended_at": _none("when it ended", "given"),
        "why": _none("why it was closed", "given"),
        "revision": _none("counts its changes"),
        "edition": _none("counts its changes that are seen"),
        "shown": _none("which of them its message shows"),
        "touched_at": _none("when it was last changed"),
        "resting": _none("why it cannot be read"),
        "asleep_at": _none("since when it sleeps"),
        "folded": _none("whether its moves are packed into one row"),
    },
    "seats": {
        "game_id": _none("the table", "given"),
        "seat": _none("which seat", "given"),
        "user_id": _mine("own part", "replaced", "who sits there"),
        "name": _mine("given", "replaced", "by which name"),
        "level": _none("the level of a computer opponent"),
        "entropy": _mine("given", "kept", "the number of the press that joined; the deal is proved with it"),
    },
    "entries": {
        "game_id": _none("the table", "given"),
        "seq": _none("the number of the move", "given"),
        "kind": _none("a move, or one made for a late seat", "given"),
        "seat": _mine("when over", "kept", "which seat made it"),
        "data": _mine("when over", "kept", "the move"),
        "at": _mine("when over", "kept", "when it was made"),
        "press": _none("the move that the same press made first", "given"),
    },
    "folds": {
        "game_id": _none("a table whose game ended long ago", "given"),
        "entries": _none("how many moves", "given"),
        "last_at": _none("when the last one was made", "given"),
        "digest": _none("by which the last position is proved"),
        "journal": _mine(
            "when over", "kept", "the moves, packed, as in entries; who made them stands in seats alone"
        ),
        "folded_at": _none("when that was done"),
    },
    "snapshots": {
        "game_id": _none("the table"),
        "seq": _none("after which move"),
        "source": _none("the version that wrote it"),
        "acts": _none("how many moves"),
        "decisions": _none("counts decisions"),
        "position": _none("the cards of a game that goes on; gone with its end"),
    },
    "reviews": {
        "game_id": _mine("given", "removed", "the table"),
        "seat": _mine("given", "removed", "whose decisions"),
        "data": _mine("given", "removed", "what the teacher found"),
    },
    "clocks": {
        "game_id": _none("the table", "given"),
        "kind": _none("what falls due", "given"),
        "seat": _mine("given", "removed", "for whom; leaving the table removes it"),
        "due_at": _none("when", "given"),
    },
    "players": {
        "id": _mine("own part", "removed", "the Discord id"),
        "name": _mine("given", "removed", "the display name last seen"),
        "prefs": _mine("given", "removed", "what was chosen in /settings"),
        "seen_at": _mine("given", "removed", "when the name was seen"),
    },
    "settings": {
        "scope": _mine(
            "given", "removed", "whose setting: of a person, a channel, a server, a table, the bot"
        ),
        "scope_id": _mine(
            "own part", "removed", "the id of the person, the channel, the server, the table, the bot"
        ),
        "key": _mine("given", "removed", "which lesson, puzzles or setting"),
        "value": _mine("given", "removed", "how far, which rating, what was chosen"),
    },
    "results": {
        "game_id": _none("the table", "given"),
        "seat": _none("which seat", "given"),
        "user_id": _mine("own part", "replaced", "who sat there"),
        "level": _none("the level of a computer opponent"),
        "guild_id": _none("the server", "given"),
        "game": _none("which game", "given"),
        "people": _none("how many people played", "given"),
        "rank": _mine("given", "kept", "the place"),
        "score": _mine("given", "kept", "the points"),
        "hands": _mine("given", "kept", "the hands won"),
        "ended_at": _none("when the game ended", "given"),
        "won": _mine("given", "kept", "whether it was won"),
        "variant": _none("in which variant of the game", "given"),
        "side": _mine("given", "kept", "for which side"),
        "place": _mine("given", "kept", "the place that ratings go by"),
        "mu": _mine("given", "removed", "the rating afterwards"),
        "sigma": _mine("given", "removed", "how sure it was"),
        "began": _mine("given", "kept", "whether the seat began"),
        "cards": _mine("given", "kept", "how often it played each card"),
        "role": _mine("given", "kept", "in which role, in games that have some"),
    },
    "board_ratings": {
        "user_id": _mine("own part", "removed", "whose rating"),
        "game": _mine("given", "removed", "in which game"),
        "variant": _mine("given", "removed", "in which variant of it"),
        "season": _mine("given", "removed", "in which season, 0 for all time"),
        "guild_id": _mine("given", "removed", "in which server, 0 for all"),
        "mu": _mine("given", "removed", "the rating"),
        "sigma": _mine("given", "removed", "how sure it is"),
        "sure": _mine("given", "removed", "what is sure of it"),
        "games": _mine("given", "removed", "how many games"),
        "wins": _mine("given", "removed", "won"),
        "streak": _mine("given", "removed", "won in a row"),
    },
    "rivals": {
        "user_id": _mine("own part", "removed", "whose games against somebody; the row goes"),
        "other_id": _mine(
            "own part", "replaced", "against whom, in the rows of others; an export names nobody"
        ),
        "game": _mine("given", "removed", "in which game"),
        "variant": _mine("given", "removed", "in which variant of it"),
        "games": _mine("given", "removed", "how many games"),
        "wins": _mine("given", "removed", "won"),
        "losses": _mine("given", "removed", "lost"),
        "heat": _mine("given", "removed", "how often the two met lately"),
        "heat_at": _mine("given", "removed", "when they met last"),
    },
    "voids": {
        "kind": _none("whether a person or a game counts for nothing in ratings", "given"),
        "target": _mine("own part", "replaced", "which person or game"),
        "at": _mine("given", "kept", "since when"),
    },
    "ratings": {
        "user_id": _mine("own part", "removed", "whose rating"),
        "guild_id": _mine("given", "removed", "in which server, 0 for all"),
        "game": _mine("given", "removed", "in which game"),
        "mu": _mine("given", "removed", "the rating"),
        "sigma": _mine("given", "removed", "how sure it is"),
        "games": _mine("given", "removed", "how many games"),
    },
    "guesses": {
        "game_id": _mine("given", "removed", "the table"),
        "user_id": _mine("own part", "removed", "who guessed who wins there, watching"),
        "side": _mine("given", "removed", "whom they guessed"),
        "right": _mine("given", "removed", "whether it came so"),
        "at": _mine("given", "removed", "when"),
    },
    "totals": {
        "user_id": _mine("own part", "removed", "whose totals"),
        "guild_id": _mine("given", "removed", "in which server, 0 for all"),
        "game": _mine("given", "removed", "in which game"),
        "games": _mine("given", "removed", "games with people"),
        "wins": _mine("given", "removed", "won"),
        "hands": _mine("given", "removed", "hands won"),
        "practice": _mine("given", "removed", "games against the computer"),
        "practice_wins": _mine("given", "removed", "won"),
        "streak": _mine("given", "removed", "won in a row"),
        "best_streak": _mine("given", "removed", "won in a row at best"),
        "last_at": _mine("given", "removed", "when the last game ended"),
        "last_game": _mine("given", "removed", "which one"),
    },
    "achievements": {
        "user_id": _mine("own part", "removed", "whose achievement"),
        "game": _mine("given", "removed", "in which game"),
        "key": _mine("given", "removed", "which one"),
        "first_game": _mine("given", "removed", "at which table first"),
        "count": _mine("given", "removed", "how often"),
        "at": _mine("given", "removed", "when that game ended"),
    },
    "tournaments": {
        "id": _none("the number of a tournament", "given"),
        "phase": _none("how far it has come", "given"),
        "name": _mine("given", "replaced", "its name, where it holds the person's"),
        "game": _none("which game", "given"),
        "options": _none("the options chosen", "given"),
        "terms": _mine(
            "given",
            "replaced",
            "kind, seeding, clock; house rules by their name, where it holds the person's",
        ),
        "bracket": _mine("own part", "replaced", "who met whom, and who won"),
        "guild_id": _none("the server", "given"),
        "channel_id": _none("the channel", "given"),
        "message_id": _none("the message", "given"),
        "host_id": _mine("own part", "replaced", "who organised it"),
        "locale": _none("its language", "given"),
        "created_at": _none("when it was announced", "given"),
        "ended_at": _none("when it ended", "given"),
        "revision": _none("counts its changes"),
        "shown": _none("which of them its message shows"),
        "acted_at": _none("when somebody last did something"),
        "why": _none("why it was called off", "given"),
    },
    "matches": {
        "tournament_id": _none("the tournament"),
        "key": _none("which match"),
        "step": _none("how far its table is opened"),
        "thread_id": _none("the thread"),
        "game_id": _none("the table"),
        "tries": _none("how often that was tried"),
        "next_at": _none("when it is tried again"),
    },
    "entrants": {
        "tournament_id": _none("the tournament", "given"),
        "user_id": _mine("own part", "replaced", "who takes part"),
        "name": _mine("given", "replaced", "by which name"),
        "joined_at": _mine("given", "kept", "since when"),
    },
    "days": {
        "day": _none("which day"),
        "game": _none("which game"),
        "seed": _none("the secret of its deal, until the day is over"),
        "nonce": _none("belongs to the secret"),
        "made_at": _none("when it was drawn"),
    },
    "daily_results": {
        "day": _mine("given", "removed", "the day of a daily deal"),
        "game": _mine("given", "removed", "in which game"),
        "user_id": _mine("own part", "removed", "who played it"),
        "game_id": _mine("given", "removed", "the table"),
        "guild_id": _mine("given", "removed", "the server in which it was begun"),
        "rank": _mine("given", "removed", "the place against the computer"),
        "score": _mine("given", "removed", "the points"),
        "margin": _mine("given", "removed", "the points ahead of the best opponent"),
        "moves": _mine("given", "removed", "how many decisions"),
        "ended_at": _mine("given", "removed", "when it ended"),
    },
    "house_rules": {
        "id": _none("the number of house rules", "given"),
        "guild_id": _none("the server", "given"),
        "channel_id": _mine("given", "removed", "the channel; the row goes where it is a direct message"),
        "game": _none("which game", "given"),
        "name": _mine("given", "replaced", "their name, where it holds the person's"),
        "folded": _mine("given", "replaced", "the same in small letters"),
        "options": _none("the options chosen", "given"),
        "saved_by": _mine("own part", "replaced", "who saved them"),
        "saved_at": _none("when", "given"),
    },
    "seekers": {
        "guild_id": _mine("given", "removed", "in which server somebody wants to be called to play"),
        "user_id": _mine("own part", "removed", "who"),
        "since": _mine("given", "removed", "since when"),
    },
    "nights": {
        "id": _none("the number of a night", "given"),
        "phase": _none("how far it has come", "given"),
        "game": _none("which game", "given"),
        "seats": _none("how many can play", "given"),
        "starts_at": _none("when it begins", "given"),
        "guild_id": _none("the server", "given"),
        "channel_id": _none("the channel", "given"),
        "message_id": _none("the message", "given"),
        "event_id": _none("the scheduled event in Discord"),
        "game_id": _none("the table that was opened", "given"),
        "host_id": _mine("own part", "replaced", "who planned it"),
        "locale": _none("its language", "given"),
        "created_at": _none("when it was planned", "given"),
        "rules": _mine("given", "replaced", "by which house rules; their name, where it holds the person's"),
    },
    "night_answers": {
        "night_id": _mine("given", "removed", "the night"),
        "user_id": _mine("own part", "removed", "who answered"),
        "name": _mine("given", "removed", "by which name"),
        "answer": _mine("given", "removed", "whether they come"),
        "entropy": _mine("given", "removed", "the number of the press that said so"),
        "at": _mine("given", "removed", "when; all answers go when the night begins or is called off"),
    },
    "night_calls": {
        "night_id": _none("the night"),
        "kind": _none("what falls due"),
        "due_at": _none("when"),
    },
    "leases": {
        "part": _none("0 for all servers; 1 and on for the shards of processes that divide them"),
        "holder": _none("which process of the bot writes"),
        "epoch": _none("counts them"),
        "until": _none("until when"),
        "at": _none("the table time"),
    },
    "heartbeat": {"id": _none("always 1"), "at": _none("when an older version last lived")},
}
"""Every column of every table."""


def is_nobody(user_id: int) -> bool:
    """Whether this is the number of somebody who was deleted; ids of Discord are positive."""
    return user_id < 0


def page() -> Iterator[str]:
    """The columns as a table of Markdown, for PRIVACY.md."""
    yield "| table | column | what it is | about a person | export | delete |"
    yield "|---|---|---|---|---|---|"
    for table, columns in COLUMNS.items():
        for column, held in columns.items():
            about = "yes" if held.personal else "no"
            yield f"| {table} | {column} | {held.what} | {about} | {held.given} | {held.done} |"
