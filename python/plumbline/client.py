"""The client of `plumbline serve` (docs/serve.md)."""

from __future__ import annotations

import http.client
import json
import urllib.parse
from typing import Any, Iterable

from ._http import RETRIED, Retries, ServerError, Transport
from ._items import Row, checked_ids, item_of, labelled_item, pieces

Result = dict[str, Any]


class Client:
    """A client of `plumbline serve`: it predicts rows, and sends labels when they come.

    Requests are repeated if the connection fails, and after the statuses 429 and 503, when the server says. No label is
    learned twice by that: what `learn` sends always has an id, and the server learns an id once. Connections are kept
    for further requests. Several threads may use one client.

    Rows are mappings of names to numbers, strings, booleans and None. NaN is a missing value, like None.

    Parameters
    ----------
    url : str
        Of the server. With https, the server's certificate is verified.
    model : str
        Name of the model.
    token : str or None
        Token of the server, if it needs one.
    timeout : float
        Seconds that each attempt may wait for the network.
    retries : int
        Attempts after the first one, with growing waits of 0.1 s to 5 s between them. A server that asks for a longer
        wait by Retry-After gets it, up to a minute.

    Raises
    ------
    ServerError
        The server has refused the request; it has the server's sentence.
    ConnectionError, TimeoutError
        The last attempt was not answered.

    Examples
    --------
    >>> import plumbline
    >>> client = plumbline.Client("http://localhost:8080")                        # doctest: +SKIP
    >>> client.predict({"amount": 12.5, "country": "NL"}, id="tx-1")              # doctest: +SKIP
    {'id': 'tx-1', 'probability': 0.5, 'learned': 0, 'status': 'remembered'}
    >>> client.learn(1, id="tx-1")                                                # doctest: +SKIP
    {'id': 'tx-1', 'status': 'accepted', 'number': 1}
    >>> rows = [{"amount": 3.0, "country": "DE"}, {"amount": 99.0, "country": "NL"}]
    >>> [one["status"] for one in client.learn_many([0, 1], rows=rows)]           # doctest: +SKIP
    ['accepted', 'accepted']
    >>> client.models()[0]["counts"]["labels"]["logged"]                          # doctest: +SKIP
    3
    >>> client.close()                                                            # doctest: +SKIP
    """

    def __init__(self, url: str = "http://localhost:8080", model: str = "default", *, token: str | None = None,
                 timeout: float = 30.0, retries: int = 5):
        self._transport = Transport(url, token, timeout, retries)
        self.model = model

    def __repr__(self) -> str:
        return f"<plumbline.Client: {self._transport.url}, model {self.model}>"

    # ---- Rows and labels

    def predict(self, row: Row, id: str | None = None) -> Result:
        """The answer of the server, with "probability", or "class" and "probabilities": see `Client`.

        With an id, the server remembers the prediction until its label comes.
        """
        return self._one("predict", item_of(id, row))

    def predict_many(self, rows: Iterable[Row], ids: Iterable[str | None] | None = None) -> list[Result]:
        """One answer for each row, in their order: see `Client`.

        Rows are sent in pieces of up to 1000. If the server refuses some of them, the others are predicted all the
        same, and the `ServerError` has all results.
        """
        all_rows = list(rows)
        all_ids = checked_ids(ids, len(all_rows), "rows")
        return self._many("predict", [item_of(id, row) for id, row in zip(all_ids, all_rows)])

    def learn(self, label: Any, id: str | None = None, row: Row | None = None) -> Result:
        """Sends a label, for the prediction with this id, or with its row: see `Client`.

        The label is in the server's log when this returns. Without an id it gets a new one, so that an attempt can be
        repeated. The status is "accepted", or "duplicate" if the label was there already, also by an earlier attempt.
        """
        return self._one("learn", labelled_item(label, id, row))

    def learn_many(self, labels: Iterable[Any], ids: Iterable[str | None] | None = None,
                   rows: Iterable[Row | None] | None = None) -> list[Result]:
        """Sends labels, each with an id, a row, or both; one answer for each, in their order: see `Client`.

        Labels are sent in pieces of up to 1000. If the server refuses some of them, the others are learned all the
        same, and the `ServerError` has all results. After a ConnectionError some labels may have been learned: repeat
        the call if it had ids.
        """
        all_labels = list(labels)
        all_rows = [None] * len(all_labels) if rows is None else list(rows)
        if len(all_rows) != len(all_labels):
            raise ValueError(f"there are {len(all_labels)} labels, but {len(all_rows)} rows")
        all_ids = checked_ids(ids, len(all_labels), "labels")
        return self._many("learn", [labelled_item(*one) for one in zip(all_labels, all_ids, all_rows)])

    # ---- The server

    def models(self) -> list[Result]:
        """All models of the server, each with its state, counts and metrics: see `Client`."""
        models: list[Result] = self._get("/v1/models")["models"]
        return models

    def metrics(self, model: str | None = None) -> Result:
        """The metrics of a model, by default of the client's, with curves and reliability: see `Client`."""
        return self._get(f"{_path(self.model if model is None else model)}/metrics")

    def snapshot(self) -> Result:
        """Saves the model on the server now, which needs a token for `admin` if there are tokens: see `Client`."""
        return _parsed(self._transport.send("POST", f"{_path(self.model)}/snapshot", b""))

    def health(self) -> bool:
        """True if all models are ready; False if not, or if the server cannot be reached. One attempt: see `Client`."""
        try:
            return self._transport.exchange("GET", "/v2/health/ready").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def close(self) -> None:
        """Closes the connections. `with Client() as client:` does it at the end: see `Client`."""
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ---- Inside

    def _get(self, path: str) -> Result:
        return _parsed(self._transport.send("GET", path))

    def _one(self, what: str, item: bytes) -> Result:
        return _parsed(self._transport.send("POST", f"{_path(self.model)}/{what}", item))

    def _many(self, what: str, items: list[bytes]) -> list[Result]:
        path = f"{_path(self.model)}/{what}"
        results: list[Result] = []
        for piece in pieces(items):
            try:
                results += self._piece(path, piece)
            except ServerError as error:
                raise ServerError(error.status, error.detail, results) from None
        failed = [i for i, result in enumerate(results) if "error" in result]
        if failed:
            first = results[failed[0]]["error"]
            detail = f"{len(failed)} of {len(results)} items failed; the first, item {failed[0]}: {first['detail']}"
            raise ServerError(first["status"], detail, results)
        return results

    def _piece(self, path: str, items: list[bytes]) -> list[Result]:
        """The results of items that are sent together. Those that may succeed later are repeated."""
        results = self._lines(path, items)
        retries = Retries(self._transport.retries, self._transport.closed)
        while True:
            again = [i for i, result in enumerate(results) if result.get("error", {}).get("status") in RETRIED]
            if not again or not retries.wait():
                return results
            for i, result in zip(again, self._lines(path, [items[i] for i in again])):
                results[i] = result

    def _lines(self, path: str, items: list[bytes]) -> list[Result]:
        try:
            lines = self._transport.send("POST", path, b"\n".join(items), "application/x-ndjson").splitlines()
        except ServerError as error:
            # The limits of this server are lower than usual. It has not used any of the items.
            if error.status != 413 or len(items) == 1:
                raise
            half = len(items) // 2
            return self._lines(path, items[:half]) + self._lines(path, items[half:])
        if len(lines) != len(items):
            raise ConnectionError(f"the server gave {len(lines)} results for {len(items)} items")
        return [_parsed(line) for line in lines]


def _path(model: str) -> str:
    return "/v1/models/" + urllib.parse.quote(model, safe="")


def _parsed(body: bytes) -> Result:
    try:
        parsed: Result = json.loads(body)
        return parsed
    except ValueError:
        raise ConnectionError("the answer is not JSON: is it plumbline serve that listens there?") from None
