"""The clients, against the real server."""

import asyncio
import doctest
import hashlib
import json
import os
import pathlib
import pickle
import re
import socket
import threading
import time

import numpy as np
import pytest

import plumbline
from plumbline import _items
from serving import Proxy, Script, Server, wait_until

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "serve.md"


@pytest.fixture
def serve(tmp_path):
    servers = []

    def start(*options, **more):
        servers.append(Server(tmp_path, *options, **more))
        with plumbline.Client(servers[-1].url) as client:
            assert wait_until(client.health)
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def script():
    scripts = []

    def start(*answers):
        scripts.append(Script(*answers))
        return scripts[-1]

    yield start
    for one in scripts:
        one.close()


def logged(client):
    return client.models()[0]["counts"]["labels"]["logged"]


def problem(status, detail="a sentence"):
    return json.dumps({"title": "x", "status": status, "detail": detail})


OKAY = (200, {}, '{"probability":0.25,"learned":0}')

# ---- The server's answers


def test_labels_with_rows_and_later(serve):
    with plumbline.Client(serve().url) as client:
        first = client.predict({"x": 1.0, "word": "a"}, id="one")
        assert first == {"id": "one", "probability": 0.5, "learned": 0, "status": "remembered"}
        assert client.predict({"x": 1.0, "word": "a"}, id="one")["status"] == "repeated"
        assert client.learn(1, id="two", row={"x": 3})["status"] == "accepted"
        assert client.learn(1, id="one") == {"id": "one", "status": "accepted", "number": 2}
        assert client.learn(1, id="one") == {"id": "one", "status": "duplicate", "number": 2}
        assert client.learn(0, row={"x": 0})["id"] != client.learn(0, row={"x": 0})["id"]
        assert logged(client) == 4
        assert wait_until(lambda: client.metrics()["all"]["labels"] == 4)
        assert client.metrics("default")["name"] == "default"
        assert client.snapshot()["number"] == 4
        assert [one["name"] for one in client.models()] == ["default"]


def test_many_rows_in_pieces(serve):
    X, y = plumbline.generate("sea", 2500, seed=3)
    rows = [{"a": row[0], "b": row[1], "c": row[2]} for row in X]
    proxy = Proxy(serve("--preset", "fast").port)
    with plumbline.Client(proxy.url) as client:
        predicted = client.predict_many(rows, ids=(f"r{i}" for i in range(2500)))
        assert [one["id"] for one in predicted] == [f"r{i}" for i in range(2500)]
        learned = client.learn_many(y, ids=[f"r{i}" for i in range(2500)])
        assert [one["number"] for one in learned] == list(range(1, 2501))
        assert {one["status"] for one in client.learn_many(y[:5], ids=[f"r{i}" for i in range(5)])} == {"duplicate"}
        assert len(client.learn_many(y[:1200], rows=rows[:1200])) == 1200
        assert logged(client) == 3700
        assert client.predict_many([]) == []
    assert proxy.connections == 1  # kept
    proxy.close()


def test_pieces_are_below_the_limits():
    items = [b"x" * 300_000] * 7 + [b"y"] * 2500 + [b"z" * 3_000_000]
    parts = list(_items.pieces(items))
    assert [item for part in parts for item in part] == items
    assert all(len(part) <= 1000 for part in parts)
    assert all(len(b"\n".join(part)) <= 1 << 20 or len(part) == 1 for part in parts)


def test_pieces_are_halved_for_a_server_with_lower_limits(serve):
    with plumbline.Client(serve("--max-items", "300", "--max-body", "1").url) as client:
        results = client.learn_many([i % 2 for i in range(1500)], rows=[{"x": i} for i in range(1500)])
        assert len(results) == 1500 and logged(client) == 1500
        with pytest.raises(plumbline.ServerError, match="the body exceeds 1048576 bytes") as caught:
            client.predict({"x": "y" * 2_000_000})
        assert caught.value.status == 413


def test_values(serve):
    with plumbline.Client(serve().url) as client:
        row = {"f": np.float32(0.5), "i": np.int64(3), "t": np.True_, "w": np.str_("word"), "none": None, "nan": np.nan}
        client.predict(row, id="numpy")
        assert client.predict({"f": 0.5, "i": 3, "t": True, "w": "word", "none": None, "nan": None},
                              id="numpy")["status"] == "repeated"
        for k, label in enumerate((np.int64(1), np.float64(1.0), np.True_, "1", True)):
            client.learn(label, id=f"l{k}", row={"x": 1})
            assert client.learn(1, id=f"l{k}")["status"] == "duplicate"
        with pytest.raises(ValueError, match="'x' is infinite"):
            client.predict({"x": -np.inf})
        with pytest.raises(TypeError, match="mapping of names to values, not list"):
            client.predict([1, 2])
        with pytest.raises(ValueError, match="needs the id of its prediction, or its row"):
            client.learn(1)
        with pytest.raises(ValueError, match="2 labels, but 1 rows"):
            client.learn_many([0, 1], rows=[{"x": 1}])
        with pytest.raises(ValueError, match="1 rows, but 2 ids"):
            client.predict_many([{"x": 1}], ids=["a", "b"])
        before = logged(client)
        with pytest.raises(ValueError, match="infinite"):
            client.learn_many([0] * 3000, rows=[{"x": 1}] * 2999 + [{"x": np.inf}])
        assert logged(client) == before  # All rows are checked first.


# ---- Refusals


def test_the_servers_sentences(serve):
    with plumbline.Client(serve().url) as client:
        for status, sentence, call in (
                (422, "'x' cannot be a list", lambda: client.predict({"x": [1]})),
                (404, "no prediction has this id", lambda: client.learn(1, id="nobody")),
                (422, "not one of the classes|label", lambda: client.learn("maybe", row={"x": 1})),
                (404, "model", lambda: client.metrics("nothing"))):
            with pytest.raises(plumbline.ServerError, match=sentence) as caught:
                call()
            assert caught.value.status == status
            assert str(caught.value) == f"{caught.value.detail} (status {status})"
        client.learn(1, row={"x": 1}, id="a")
        with pytest.raises(plumbline.ServerError, match="has the label '1' already, which stays"):
            client.learn(0, id="a")


def test_items_that_fail_do_not_hold_up_the_others(serve):
    with plumbline.Client(serve().url) as client:
        ids = [f"i{k}" for k in range(2000)]
        rows = [{"x": 1}] * 1500 + [{"x": [1]}, None] + [{"x": 1}] * 498
        sentence = "2 of 2000 items failed; the first, item 1500: 'x' cannot be a list"
        with pytest.raises(plumbline.ServerError, match=sentence) as caught:
            client.learn_many([1] * 2000, ids=ids, rows=rows)
        results = caught.value.results
        assert [i for i, one in enumerate(results) if "error" in one] == [1500, 1501]
        assert results[1501]["error"]["status"] == 404
        assert logged(client) == 1998
        again = pickle.loads(pickle.dumps(caught.value))
        assert (again.status, again.detail, again.results) == (422, caught.value.detail, results)


def test_tokens(serve, tmp_path):
    tokens = {"predict": "p" * 32, "learn": "l" * 32}
    (tmp_path / "tokens").write_text("".join(
        f"{name} {name} {hashlib.sha256(token.encode()).hexdigest()}\n" for name, token in tokens.items()))
    url = serve("--tokens", tmp_path / "tokens").url
    row = {"x": 1}
    assert plumbline.Client(url, token=tokens["predict"]).predict(row)["probability"] == 0.5
    assert plumbline.Client(url, token=tokens["learn"]).learn(1, row=row)["status"] == "accepted"
    many = [{"x": "y" * 1000}] * 1000  # The refusal comes before the body has been sent.
    for token, status in ((None, 401), ("wrong", 401), (tokens["learn"], 403)):
        with plumbline.Client(url, token=token) as client:
            for call in (lambda: client.predict(row), lambda: client.predict_many(many)):
                with pytest.raises(plumbline.ServerError, match="TOKEN|token|scope") as caught:
                    call()
                assert caught.value.status == status
            assert client.health()


def test_addresses():
    for url in ("localhost:8080", "ftp://localhost", "http://", "http://localhost?x=1", "http://user:word@localhost"):
        with pytest.raises(ValueError, match="http://|localhost"):
            plumbline.Client(url)
    with pytest.raises(ValueError, match="retries"):
        plumbline.Client(retries=-1)


# ---- Retries


def test_a_label_whose_answer_is_lost_is_learned_once(serve):
    proxy = Proxy(serve().port)
    with plumbline.Client(proxy.url) as client:
        proxy.cuts = 2
        assert client.learn(1, row={"x": 1})["status"] == "duplicate"  # The first attempt was handled.
        assert logged(client) == 1
        proxy.cuts = 2
        results = client.learn_many([0, 1] * 50, rows=[{"x": i} for i in range(100)])
        assert {one["status"] for one in results} == {"duplicate"}
        assert logged(client) == 101
        proxy.cuts = 2
        assert client.predict({"x": 1}, id="a")["status"] == "repeated"
        assert proxy.cuts == 0
    with plumbline.Client(proxy.url, retries=1) as client:
        proxy.cuts = 2
        with pytest.raises(ConnectionError, match=r"does not answer: .* \(attempts: 2\)"):
            client.learn(1, row={"x": 1})
        assert logged(client) == 102
    proxy.close()


def test_a_kept_connection_that_the_server_has_closed(serve):
    with plumbline.Client(serve("--idle-timeout", "1").url, retries=0) as client:
        client.predict({"x": 1})
        time.sleep(1.5)
        assert client.learn(1, row={"x": 1})["status"] == "accepted"


def test_a_server_that_starts_again(serve):
    server = serve()
    with plumbline.Client(server.url, retries=20) as client:
        client.predict({"x": 1}, id="before")
        server.stop()
        assert not client.health()
        results = []
        sender = threading.Thread(target=lambda: results.append(client.learn(1, id="before")))
        sender.start()
        time.sleep(0.3)
        serve(port=server.port)
        sender.join(60)
        assert results == [{"id": "before", "status": "accepted", "number": 1}]


def test_too_many_pending_predictions(serve):
    with plumbline.Client(serve("--max-pending", "1").url, retries=20) as client:
        client.predict({"x": 1}, id="a")
        impatient = plumbline.Client(client._transport.url, retries=0)
        for call in (lambda: impatient.predict({"x": 1}, id="b"), lambda: impatient.predict_many([{"x": 1}], ["b"])):
            with pytest.raises(plumbline.ServerError) as caught:
                call()
            assert caught.value.status == 429
        for call, label in ((lambda: client.predict({"x": 1}, id="b"), "a"),
                            (lambda: client.predict_many([{"x": 1}, {"x": 2}], [None, "c"])[1], "b")):
            later = threading.Timer(0.3, lambda: client.learn(1, id=label))
            later.start()
            assert call()["status"] == "remembered"
            later.join()


def test_waits_are_those_the_server_asks_for(script):
    at = int(time.time()) + 3
    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(at))
    server = script((503, {"Retry-After": "1"}, problem(503)), (429, {"Retry-After": date}, problem(429)),
                    (503, {}, "nothing"), OKAY)
    with plumbline.Client(server.url + "/prefix/", model="a b", token="t") as client:
        assert client.predict({"x": 1})["probability"] == 0.25
    assert server.times[1] - server.times[0] >= 1
    assert server.times[2] >= at
    assert {path for path, _, _ in server.requests} == {"/prefix/v1/models/a%20b/predict"}
    assert {headers["Authorization"] for _, headers, _ in server.requests} == {"Bearer t"}


def test_a_label_keeps_its_id_in_every_attempt(script):
    server = script((503, {}, problem(503)), (503, {}, problem(503)), (200, {}, '{"status":"accepted","number":1}'))
    with plumbline.Client(server.url) as client:
        client.learn(1, row={"x": 1})
    bodies = {body for _, _, body in server.requests}
    assert len(server.requests) == 3 and len(bodies) == 1
    assert len(json.loads(bodies.pop())["id"]) == 36


def test_a_body_that_is_refused_before_it_was_read():
    text = problem(413, "send it in parts")

    def refuse():
        connection, _ = listener.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(f"HTTP/1.1 413 Too Large\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
        # Closed with bytes that were not read: the client cannot send the rest.

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=refuse, daemon=True).start()
        with plumbline.Client(f"http://127.0.0.1:{listener.getsockname()[1]}", retries=0) as client:
            with pytest.raises(plumbline.ServerError, match="send it in parts"):
                client.predict({"x": "y" * 20_000_000})


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 413, 422, 500])
def test_other_refusals_are_not_repeated(script, status):
    server = script((status, {}, problem(status)), OKAY)
    with plumbline.Client(server.url) as client, pytest.raises(plumbline.ServerError, match="a sentence") as caught:
        client.predict({"x": 1})
    assert caught.value.status == status and len(server.requests) == 1


def test_the_end_of_patience(script):
    server = script((503, {}, problem(503, "not ready")), (503, {}, problem(503, "not yet")), OKAY)
    with plumbline.Client(server.url, retries=1) as client, pytest.raises(plumbline.ServerError, match="not yet"):
        client.predict({"x": 1})
    server = script((503, {"Retry-After": "3600"}, problem(503, "in an hour")), OKAY)
    with plumbline.Client(server.url) as client, pytest.raises(plumbline.ServerError, match="in an hour"):
        client.predict({"x": 1})
    server = script((200, {}, "<html>"), (502, {}, "a proxy"))
    with plumbline.Client(server.url) as client:
        with pytest.raises(ConnectionError, match="not JSON"):
            client.models()
        with pytest.raises(plumbline.ServerError, match="a proxy"):
            client.models()


def test_a_server_that_says_nothing():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with plumbline.Client(url, timeout=0.2, retries=1) as client:
            with pytest.raises(TimeoutError, match="attempts: 2"):
                client.predict({"x": 1})
            assert not client.health()


def test_closing_ends_waits():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
    client = plumbline.Client(url, retries=1000)
    threading.Timer(0.3, client.close).start()
    begin = time.monotonic()
    with pytest.raises((ConnectionError, RuntimeError)):
        client.predict({"x": 1})
    assert time.monotonic() - begin < 30
    with pytest.raises(RuntimeError, match="the client is closed"):
        client.predict({"x": 1})


# ---- Threads, processes and tasks


def test_threads(serve):
    with plumbline.Client(serve().url) as client:
        def send(who):
            for k in range(20):
                assert client.learn(k % 2, id=f"{who}-{k}", row={"x": k})["id"] == f"{who}-{k}"

        threads = [threading.Thread(target=send, args=(who,)) for who in range(5)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert logged(client) == 100


def test_a_forked_process_has_its_own_connections(serve):
    proxy = Proxy(serve().port)
    with plumbline.Client(proxy.url) as client:
        client.predict({"x": 1})
        child = os.fork()
        if child == 0:
            try:
                client.learn(1, row={"x": 1})
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        assert proxy.connections == 2
        assert logged(client) == 1
        assert proxy.connections == 2
    proxy.close()


def test_tasks(serve):
    proxy = Proxy(serve().port)

    async def task(client, k):
        first = await client.predict({"x": k}, id=f"t{k}")
        proxy.cuts += k % 4 == 0
        label = await client.learn(k % 2, id=f"t{k}")
        row = await client.learn(1, row={"x": k})
        return first["status"], label["id"], row["status"]

    async def main():
        async with plumbline.AsyncClient(proxy.url, retries=10) as client:
            done = await asyncio.gather(*(task(client, k) for k in range(20)))
            assert [label for _, label, _ in done] == [f"t{k}" for k in range(20)]
            assert await client.health()
            assert (await client.models())[0]["counts"]["labels"]["logged"] == 40
            assert len(await client.learn_many([0, 1], rows=[{"x": 1}, {"x": 2}])) == 2
            assert len(await client.predict_many([{"x": 1}])) == 1
            assert (await client.snapshot())["number"] == 42
            assert (await client.metrics())["name"] == "default"
            with pytest.raises(plumbline.ServerError, match="no prediction has this id"):
                await client.learn(1, id="nobody")
            return client

    client = asyncio.run(main())
    assert proxy.cuts == 0
    with pytest.raises(RuntimeError):
        asyncio.run(client.health())
    proxy.close()


# ---- Documentation


@pytest.mark.parametrize("thing", [plumbline.Client, plumbline.AsyncClient])
def test_the_examples_work(serve, thing):
    text = thing.__doc__.replace("# doctest: +SKIP", "").replace("http://localhost:8080", serve().url)
    test = doctest.DocTestParser().get_doctest(text, {}, thing.__name__, None, 0)
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_the_page_works(serve, capsys):
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    exec(compile(code.replace("http://localhost:8080", serve().url), "serve.md", "exec"), {})
    said = re.findall(r"print\(.*#\s*(.*)", code)
    assert said and capsys.readouterr().out.splitlines() == said
