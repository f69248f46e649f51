"""Items of requests to `plumbline serve`, as lines of JSON."""

from __future__ import annotations

import json
import math
import uuid
from typing import Any, Iterable, Iterator, Mapping

MOST_LINES, MOST_BYTES = 1000, 1 << 20  # of a request with several items

Row = Mapping[str, Any]


def checked_ids(ids: Iterable[str | None] | None, count: int, of: str) -> list[str | None]:
    """One id for each of the rows or labels, or None."""
    found: list[str | None] = [None] * count if ids is None else list(ids)
    if len(found) != count:
        raise ValueError(f"there are {count} {of}, but {len(found)} ids")
    return found


def labelled_item(label: Any, id: str | None, row: Row | None) -> bytes:
    """An item with a label, which always has an id: it can be sent again."""
    if id is None and row is None:
        raise ValueError("a label needs the id of its prediction, or its row")
    return item_of(str(uuid.uuid4()) if id is None else id, row, label=_plain(label))


def item_of(id: str | None, row: Row | None, **more: Any) -> bytes:
    """The item as a line of JSON."""
    item = dict(more)
    if id is not None:
        item["id"] = id
    if row is not None:
        if not isinstance(row, Mapping):
            raise TypeError(f"a row is a mapping of names to values, not {type(row).__name__}")
        item["row"] = {str(name): _value(name, value) for name, value in row.items()}
    return json.dumps(item).encode()


def _value(name: str, value: Any) -> Any:
    """A value of a row as JSON has it: NaN is missing."""
    value = _plain(value)
    if isinstance(value, float) and not math.isfinite(value):
        if math.isinf(value):
            raise ValueError(f"{name!r} is infinite")
        return None
    return value


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.item() if hasattr(value, "dtype") and hasattr(value, "item") else value


def pieces(items: list[bytes]) -> Iterator[list[bytes]]:
    """Items that fit into a request together."""
    piece: list[bytes] = []
    size = 0
    for item in items:
        if piece and (len(piece) == MOST_LINES or size + len(item) >= MOST_BYTES):
            yield piece
            piece, size = [], 0
        piece.append(item)
        size += len(item) + 1
    if piece:
        yield piece
