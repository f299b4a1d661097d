"""Two-layer networks in numpy: forward pass, gradients, optimizer steps and files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from engine import data
from engine.ai.network import SecondLayerNeuron

FIRST_LINE, SECOND_LINE = 128, 64
"""Neurons of both lines."""
RATE = 1e-3
"""Adam's parameters."""
STEPS, BATCH = 2, 1024
"""Passes over the decisions in a round, and decisions per batch."""
Layers = list[Any]
"""Weights in training: first layer and its biases, second layer and its biases, output."""


def fresh(rng: Any, columns: int, spread: float) -> Layers:
    """Return a new network with `columns` inputs whose output is zero."""
    return [
        rng.normal(0, spread, (columns, FIRST_LINE)),
        np.zeros(FIRST_LINE),
        rng.normal(0, (2 / FIRST_LINE) ** 0.5, (FIRST_LINE, SECOND_LINE)),
        np.zeros(SECOND_LINE),
        np.zeros(SECOND_LINE),
    ]


def layers(
    rows: Sequence[Sequence[float]], biases: Sequence[float], second: Sequence[SecondLayerNeuron]
) -> Layers:
    """The weights of a data file; `rows` and `biases` are those of the first line."""
    return [
        np.array(rows).T,
        np.array(biases),
        np.array([one.weights for one in second]).T,
        np.array([one.bias for one in second]),
        np.array([one.out for one in second]),
    ]


def said(numbers: Any) -> list[float]:
    """Numbers as a data file says them."""
    return [round(float(number), 4) for number in numbers]


def text(found: Layers, first: Callable[[float, list[float]], Any], *, digits: int = 4) -> str:
    """The data file, a line for each neuron; `first` makes one of the first line of its bias and its row."""
    seen, bias, second, second_bias, out = found
    lines = {
        "first": [first(said([bias[place]])[0], said(row)) for place, row in enumerate(seen.T)],
        "second": [
            SecondLayerNeuron(said([second_bias[place]])[0], said(row), round(float(out[place]), digits))
            for place, row in enumerate(second.T)
        ],
    }
    parts = (
        f' "{name}": [\n  ' + ",\n  ".join(msgspec.json.encode(one).decode() for one in line) + "\n ]"
        for name, line in lines.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


def forward(found: Layers, rows: Any) -> tuple[Any, Any, Any]:
    """Both lines and what comes out, of rows in any shape."""
    first = np.maximum(0, rows @ found[0] + found[1])
    second = np.maximum(0, first @ found[2] + found[3])
    return first, second, second @ found[4]


def softmax(logits: Any, there: Any) -> Any:
    """The chance of each move."""
    odds = np.exp(logits - np.max(np.where(there, logits, -np.inf), axis=-1, keepdims=True)) * there
    return odds / odds.sum(axis=-1, keepdims=True)


def backward(found: Layers, rows: Any, first: Any, second: Any, back: Any) -> Layers:
    """Return the gradient of the weights for the gradient `back` of the output."""
    to_second = back[..., None] * found[4] * (second > 0)
    to_first = (to_second @ found[2].T) * (first > 0)
    flat = (-1, found[1].size)
    return [
        rows.reshape(-1, found[0].shape[0]).T @ to_first.reshape(flat),
        to_first.sum(axis=(0, 1)),
        first.reshape(flat).T @ to_second.reshape(-1, found[3].size),
        to_second.sum(axis=(0, 1)),
        (back[..., None] * second).sum(axis=(0, 1)),
    ]


class Adam:
    """Steps by moments of the gradient (Kingma and Ba 2015)."""

    def __init__(self, found: Layers) -> None:
        self.found, self.steps = found, 0
        self.mean, self.square = [0 * one for one in found], [0 * one for one in found]

    def step(self, slopes: Layers) -> None:
        """One step down."""
        self.steps += 1
        length = sum(float((slope**2).sum()) for slope in slopes) ** 0.5
        for place, slope in enumerate(slopes):
            held = slope * min(1.0, 0.5 / (length + 1e-12))
            self.mean[place] = 0.9 * self.mean[place] + 0.1 * held
            self.square[place] = 0.999 * self.square[place] + 0.001 * held**2
            mean = self.mean[place] / (1 - 0.9**self.steps)
            square = self.square[place] / (1 - 0.999**self.steps)
            self.found[place] -= RATE * mean / (square**0.5 + 1e-8)


def batches(count: int, rng: Any) -> Iterator[Any]:
    """Yield shuffled batches of indices below `count`, in `STEPS` passes."""
    for _ in range(STEPS):
        mixed = rng.permutation(count)
        for at in range(0, count, BATCH):
            yield mixed[at : at + BATCH]


def run(
    what: str | None,
    file: str,
    *,
    games: int,
    fresh: Callable[[Any], Layers],
    shipped: Callable[[], Layers],
    learn: Callable[[Layers, int, int, int], Layers],
    text: Callable[[Layers], str],
) -> None:
    """Learn as the command line says. `games`: matches a round; `fresh` makes a network of a generator,
    `text` a data file."""
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--games", type=int, default=games, help="matches a round")
    parser.add_argument("--first", type=int, default=1, help="the number of the first match")
    parser.add_argument("--fresh", action="store_true", help="begin with a network that knows nothing")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    begin = fresh(np.random.default_rng(asked.first)) if asked.fresh else shipped()
    found = text(learn(begin, asked.rounds, asked.games, asked.first))
    if asked.write:
        (data.folder() / "cards" / file).write_text(found, encoding="utf-8")
