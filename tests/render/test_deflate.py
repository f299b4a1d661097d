"""What one installation has compressed, another unpacks: drawn cards on disk outlast both."""

from __future__ import annotations

import zlib
from types import ModuleType

import pytest

from bot.render import deflate

isal_zlib = pytest.importorskip("isal.isal_zlib", reason="there is no ISA-L for this processor")
FLAT = bytes(300) * 500
NOISE = bytes(number * 7919 % 251 for number in range(200_000))


@pytest.mark.parametrize("reads", [zlib, isal_zlib], ids=["zlib", "isal"])
@pytest.mark.parametrize("writes", [zlib, isal_zlib], ids=["zlib", "isal"])
@pytest.mark.parametrize("data", [b"", FLAT, NOISE], ids=["nothing", "flat", "noise"])
def test_either_unpacks_what_the_other_packed(
    data: bytes, writes: ModuleType, reads: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deflate, "_FAST", writes)
    packed = deflate.quickly(data), deflate.deflate(data)
    monkeypatch.setattr(deflate, "_FAST", reads)
    assert [deflate.inflate(each) for each in packed] == [data, data]
    assert zlib.decompress(packed[1]) == data


@pytest.mark.parametrize("reads", [zlib, isal_zlib], ids=["zlib", "isal"])
@pytest.mark.parametrize("data", [b"", b"no picture", zlib.compress(FLAT)[:-9]])
def test_what_is_damaged_is_told_by_one_error(
    data: bytes, reads: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deflate, "_FAST", reads)
    with pytest.raises(deflate.Damaged):
        deflate.inflate(data)
