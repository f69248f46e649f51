"""Requests to `plumbline serve`: connections that are kept, and retries."""

from __future__ import annotations

import collections
import email.utils
import http.client
import json
import os
import random
import ssl
import threading
import time
import urllib.parse
from typing import Any, NamedTuple

RETRIED = (429, 503)  # may succeed later
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is not waited for


class ServerError(Exception):
    """A request that `plumbline serve` has refused.

    Attributes
    ----------
    status : int
        HTTP status, such as 422 for a row that does not fit.
    detail : str
        The server's sentence.
    results : list of dict, or None
        `predict_many` and `learn_many`: the results of all items that were sent, in their order. A failed one has the
        key "error".

    Examples
    --------
    >>> error = ServerError(422, "the row has no features")
    >>> print(error)
    the row has no features (status 422)
    >>> error.status
    422
    """

    def __init__(self, status: int, detail: str, results: list[dict[str, Any]] | None = None):
        super().__init__(status, detail, results)
        self.status = status
        self.detail = detail
        self.results = results

    def __str__(self) -> str:
        return f"{self.detail} (status {self.status})"


class _Answer(NamedTuple):
    status: int
    reason: str
    body: bytes
    retry_after: float


class Retries:
    """The retries that are left, with growing waits between them."""

    FIRST, MOST = 0.1, 5.0  # seconds

    def __init__(self, most: int, closed: threading.Event):
        self._left = most
        self._delay = self.FIRST
        self._closed = closed

    def wait(self, at_least: float = 0.0) -> bool:
        """Waits before the next attempt; false if there is none."""
        if self._left == 0 or at_least > LONGEST_WAIT:
            return False
        self._left -= 1
        # Clients that failed together do not come back together.
        delay = max(at_least, self._delay * random.uniform(0.5, 1.0))
        self._delay = min(2 * self._delay, self.MOST)
        return not self._closed.wait(delay)


class Transport:
    """Sends requests over connections that are kept, from any number of threads."""

    def __init__(self, url: str, token: str | None, timeout: float, retries: int):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not a URL such as http://localhost:8080")
        if parts.query or parts.fragment or parts.username is not None:
            raise ValueError(f"{url!r} has more than a host, a port and a path")
        if retries < 0:
            raise ValueError(f"retries is {retries}; give 0 or more")
        self.url = url
        self.retries = retries
        self.closed = threading.Event()
        self._host, self._port, self._prefix = parts.hostname, parts.port, parts.path.rstrip("/")
        self._timeout = timeout
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        # Without a lock, which a forked process would find locked forever; a deque is safe among threads.
        self._idle: collections.deque[http.client.HTTPConnection] = collections.deque()
        self._process = os.getpid()

    def send(self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json") -> bytes:
        """The body of the answer. Repeats a request that was not answered, or may succeed later."""
        retries, attempts = Retries(self.retries, self.closed), 0
        while True:
            attempts += 1
            try:
                answer = self.exchange(method, path, body, content_type)
            except ssl.SSLCertVerificationError:
                raise
            except (OSError, http.client.HTTPException) as failure:
                if retries.wait():
                    continue
                reason = str(failure) or type(failure).__name__
                kind = TimeoutError if isinstance(failure, TimeoutError) else ConnectionError
                raise kind(f"{self.url} does not answer: {reason} (attempts: {attempts})") from failure
            if 200 <= answer.status < 300:
                return answer.body
            if answer.status not in RETRIED or not retries.wait(answer.retry_after):
                raise ServerError(answer.status, _detail(answer))

    def exchange(self, method: str, path: str, body: bytes | None = None,
                 content_type: str = "application/json") -> _Answer:
        """One attempt. A kept connection may have been closed by the server; a new one is then used at once."""
        headers = {**self._headers, **({} if body is None else {"Content-Type": content_type})}
        connection = self._kept()
        if connection is not None:
            try:
                return self._exchange_on(connection, method, path, body, headers)
            except TimeoutError:
                raise
            except (OSError, http.client.HTTPException):
                pass
        return self._exchange_on(self._new(), method, path, body, headers)

    def close(self) -> None:
        """Closes the idle connections, now, and the others after their requests. Ends waits between attempts."""
        self.closed.set()
        while connection := self._pop():
            connection.close()

    def _exchange_on(self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None,
                     headers: dict[str, str]) -> _Answer:
        try:
            if connection.sock is None:
                connection.connect()
            cut: OSError | None = None
            try:
                connection.request(method, self._prefix + path, body, headers)
            except (BrokenPipeError, ConnectionResetError) as failure:
                cut = failure  # A server that refuses a body answers before it has read it.
            response = connection.getresponse()
            answer = _Answer(response.status, response.reason, response.read(),
                             _seconds(response.headers.get("Retry-After")))
            if cut is not None and answer.status < 400:
                raise cut
        except BaseException:
            connection.close()
            raise
        if cut is not None or response.will_close:
            connection.close()
        else:
            self._keep(connection)
        return answer

    def _kept(self) -> http.client.HTTPConnection | None:
        if self.closed.is_set():
            raise RuntimeError("the client is closed")
        if self._process != os.getpid():  # A forked process leaves its parent's connections alone.
            self._process, self._idle = os.getpid(), collections.deque()
        return self._pop()

    def _pop(self) -> http.client.HTTPConnection | None:
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _new(self) -> http.client.HTTPConnection:
        if self._tls is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        self._idle.append(connection)
        if self.closed.is_set():
            self.close()


def _detail(answer: _Answer) -> str:
    """The server's sentence, or the beginning of what a proxy has said."""
    try:
        return str(json.loads(answer.body)["detail"])
    except (ValueError, LookupError, TypeError):
        return answer.body[:200].decode("utf-8", "replace").strip() or answer.reason


def _seconds(retry_after: str | None) -> float:
    """Seconds to wait, from a header that has them, or a date."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0
