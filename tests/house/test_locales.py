"""Strings: plural forms, and what a language borrows from English."""

from __future__ import annotations

import pytest

from bot import locales
from bot.locales import MissingWords, catalogue, words


def test_a_borrowed_string_is_counted_as_its_own_language_counts() -> None:
    """Chinese has one form for all numbers, but the English string that it borrows has two."""
    assert words("zh-CN")("doctor.discord.servers", n=1).endswith("its one server.")
    assert words("zh-CN")("doctor.discord.servers", n=2).endswith("all 2 servers.")
    assert "分" in words("zh-CN")("atom.line.side", names="Ann", points=1)


def test_a_negative_number_has_a_minus_sign() -> None:
    assert words("en")("chemistry.points", n=-1) == "−1 point"


def test_an_unknown_language_speaks_english() -> None:
    assert words("pt-BR")("table.hand") == words("en")("table.hand")


def test_a_missing_string_or_fact_is_named() -> None:
    with pytest.raises(MissingWords, match=r"no\.such"):
        words("en")("no.such")
    with pytest.raises(MissingWords, match="table"):
        words("en")("table.moved")


def test_a_language_that_lacks_a_string_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {key: said for key, said in catalogue("zh-CN").items() if key != "table.hand"}
    monkeypatch.setattr(
        locales, "catalogue", lambda language: own if language == "zh-CN" else catalogue("en")
    )
    assert locales.lacking("zh-CN") == ("table.hand",)
    assert locales.languages.__wrapped__() == ("en",)
