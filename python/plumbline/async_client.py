"""The client of `plumbline serve` for asyncio.

It runs the client of http.client on threads instead of speaking HTTP over asyncio's streams: one implementation has
the retries, and the cases that proxies bring, such as TLS and chunks.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
from typing import Any, Callable, Iterable, TypeVar

from ._items import Row
from .client import Client, Result

T = TypeVar("T")


class AsyncClient:
    """`Client` for asyncio: the same methods and parameters, to be awaited.

    Requests run on threads, at most `connections` at a time; others wait for their turn. A task that is cancelled stops
    waiting, but its request goes on, and its label may be learned.

    Parameters
    ----------
    connections : int
        Requests at a time.

    Examples
    --------
    >>> import asyncio
    >>> import plumbline
    >>> async def main():
    ...     async with plumbline.AsyncClient("http://localhost:8080") as client:
    ...         rows = [{"x": i} for i in range(20)]
    ...         answers = await asyncio.gather(*(client.predict(row) for row in rows))
    ...         print(len(answers), await client.health())
    >>> asyncio.run(main())                                                       # doctest: +SKIP
    20 True
    """

    def __init__(self, url: str = "http://localhost:8080", model: str = "default", *, token: str | None = None,
                 timeout: float = 30.0, retries: int = 5, connections: int = 20):
        self._client = Client(url, model, token=token, timeout=timeout, retries=retries)
        self._threads = concurrent.futures.ThreadPoolExecutor(connections, "plumbline-client")

    def __repr__(self) -> str:
        return f"<plumbline.AsyncClient: {self._client._transport.url}, model {self._client.model}>"

    async def predict(self, row: Row, id: str | None = None) -> Result:
        """Predicts a row: see `Client.predict`."""
        return await self._run(self._client.predict, row, id)

    async def predict_many(self, rows: Iterable[Row], ids: Iterable[str | None] | None = None) -> list[Result]:
        """Predicts rows: see `Client.predict_many`."""
        return await self._run(self._client.predict_many, rows, ids)

    async def learn(self, label: Any, id: str | None = None, row: Row | None = None) -> Result:
        """Sends a label: see `Client.learn`."""
        return await self._run(self._client.learn, label, id, row)

    async def learn_many(self, labels: Iterable[Any], ids: Iterable[str | None] | None = None,
                         rows: Iterable[Row | None] | None = None) -> list[Result]:
        """Sends labels: see `Client.learn_many`."""
        return await self._run(self._client.learn_many, labels, ids, rows)

    async def models(self) -> list[Result]:
        """All models of the server: see `Client.models`."""
        return await self._run(self._client.models)

    async def metrics(self, model: str | None = None) -> Result:
        """The metrics of a model: see `Client.metrics`."""
        return await self._run(self._client.metrics, model)

    async def snapshot(self) -> Result:
        """Saves the model on the server now: see `Client.snapshot`."""
        return await self._run(self._client.snapshot)

    async def health(self) -> bool:
        """True if all models are ready: see `Client.health`."""
        return await self._run(self._client.health)

    async def close(self) -> None:
        """Closes the connections. `async with AsyncClient() as client:` does it at the end: see `AsyncClient`."""
        self._client.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def _run(self, method: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, functools.partial(method, *arguments))
