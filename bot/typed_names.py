"""Names as people type them: in any letter case, in either script of Chinese, or in pinyin."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import islice, product
from typing import Final, TypeVar

from opencc import OpenCC

from bot.chinese import SIGN

os.environ.setdefault("PYPINYIN_NO_PHRASES", "true")  # readings of whole phrases would take 45 MB of memory
os.environ.setdefault("PYPINYIN_NO_DICT_COPY", "true")  # nothing here adds readings to the original
from pypinyin import Style
from pypinyin import pinyin as readings_of

Key = TypeVar("Key")
MISSING_PAIRS: Final = str.maketrans("鉨", "鿭")
"""Traditional characters that the converter lacks, with the Simplified ones: element 113."""
MOST_READINGS: Final = 16
"""Maximum number of ways to read a name, whose characters may have several sounds each."""
_TONES: Final = re.compile("[\u0300\u0301\u0304\u030c]")
_SPELT: Final = re.compile("[^a-z0-9]")
_SYLLABLE_TONE: Final = re.compile("(?<=[a-z])[1-5]")


@cache
def _converter(kind: str) -> OpenCC:
    return OpenCC(kind)


def release_converters() -> None:
    """Give back the memory of the converters' dictionaries; the next conversion loads its own again."""
    _converter.cache_clear()


def simplified(text: str) -> str:
    """Return a text in Simplified characters.

    >>> simplified("氯化鈉"), simplified("iron")
    ('氯化钠', 'iron')
    """
    converted: str = _converter("t2s").convert(text) if SIGN.search(text) else text
    return converted.translate(MISSING_PAIRS)


def traditional(text: str) -> str:
    """Return a text in Traditional characters, as they are written in Taiwan.

    >>> traditional("决斗 52")
    '決鬥 52'
    """
    converted: str = _converter("s2tw").convert(text) if SIGN.search(text) else text
    return converted


def spellings(text: str) -> tuple[str, ...]:
    """Return a typed name, and it in narrow letters, in Simplified characters, and in the mainland's words.

    >>> spellings("矽"), spellings("鐵"), spellings("iron"), spellings("Ｆｅ")
    (('矽', '硅'), ('鐵', '铁'), ('iron',), ('Ｆｅ', 'Fe'))
    """
    narrow = unicodedata.normalize("NFKC", text)
    if not SIGN.search(narrow):
        return tuple(dict.fromkeys((text, narrow)))
    return tuple(dict.fromkeys((text, narrow, simplified(narrow), _converter("tw2sp").convert(narrow))))


def fold(text: str) -> str:
    """Return a text as it is compared: without capitals, wide forms and Traditional characters.

    >>> fold("Ｆｅ · 鐵") == fold("FE  · 铁")
    True
    """
    return " ".join(simplified(unicodedata.normalize("NFKC", text).casefold()).split())


@lru_cache(10_000)
def pinyin(name: str) -> tuple[str, ...]:
    """Return how a Chinese name is read aloud, in Latin letters without tones.

    A name has several readings if one of its characters has, and none without Chinese characters. ü is spelt
    v, and u.

    >>> pinyin("铜"), pinyin("铝"), pinyin("iron")
    (('tong',), ('lv', 'lu'), ())
    """
    if not SIGN.search(name):
        return ()
    sounds = readings_of(simplified(name), style=Style.NORMAL, heteronym=True)
    read = ["".join(parts) for parts in islice(product(*sounds), MOST_READINGS)]
    spelt = [_SPELT.sub("", each.casefold()) for each in read]
    return tuple(dict.fromkeys([*spelt, *(each.replace("v", "u") for each in spelt)]))


def as_pinyin(typed: str) -> str:
    """Return typed pinyin as `pinyin` spells it; empty if it has other characters than Latin ones.

    >>> as_pinyin("Tóng"), as_pinyin("lǜ huà nà"), as_pinyin("tie3"), as_pinyin("铁")
    ('tong', 'lvhuana', 'tie', '')
    """
    plain = _TONES.sub("", unicodedata.normalize("NFD", typed.casefold()))
    plain = plain.replace("u\u0308", "v").replace("u:", "v")
    letters = re.sub(r"[\s'’-]", "", plain)
    return _SYLLABLE_TONE.sub("", letters) if letters.isascii() and letters.isalnum() else ""


def matches_typed(typed: str, name: str) -> bool:
    """Return whether a name contains a typed text, in either script of Chinese, or is read aloud like it."""
    sound = as_pinyin(typed)
    return fold(typed) in fold(name) or (bool(sound) and any(sound in reading for reading in pinyin(name)))


def named(typed: str, names: Mapping[Key, str]) -> list[Key]:
    """Return the keys that are typed or have the typed name, if none has in the other script of Chinese."""
    exact = [key for key, name in names.items() if typed in (str(key), name)]
    return exact or [key for key, name in names.items() if fold(typed) == fold(name)]
