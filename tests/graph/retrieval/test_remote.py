"""Vectors from a server: what is asked of it, and what becomes of its faults. The server runs on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.errors import EmbeddingError, InvalidArgument
from hornbook.graph.retrieval.remote import AT_ONCE, LitellmEmbedder
from hornbook.memory import Memory
from hornbook.opening import embedder_of
from hornbook.settings import Embedding, read


class Served(ThreadingHTTPServer):
    """Answers like an embeddings server: three letters counted, last text first; or with whatever `spoils` says."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.spoils = ""


class Handler(BaseHTTPRequestHandler):
    server: Served

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["authorization"])
        rows = [
            {"object": "embedding", "index": at, "embedding": [float(1 + text.count(letter)) for letter in "abc"]}
            for at, text in enumerate(body["input"])
        ]
        if self.server.spoils == "short":
            rows[0]["embedding"] = [1.0]
        answer = {"object": "list", "model": body["model"], "data": rows[::-1], "usage": USAGE}
        data = b"not JSON" if self.server.spoils == "text" else json.dumps(answer).encode()
        self.send_response(500 if self.server.spoils == "status" else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


USAGE = {"prompt_tokens": 1, "total_tokens": 1}


@pytest.fixture
def server() -> Iterator[Served]:
    with Served() as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.02,))
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def embedding(server: Served, **more: Any) -> LitellmEmbedder:
    return LitellmEmbedder("openai", "tiny", base_url=f"http://127.0.0.1:{server.server_port}", api_key="k3y", **more)


def test_texts_are_sent_in_batches_and_come_back_as_unit_vectors_in_order(server: Served) -> None:
    embedder = embedding(server)
    vectors = embedder.embed(["aaaa", "", *["b"] * AT_ONCE])

    assert (AT_ONCE + 2, 3) == vectors.shape
    assert vectors[0].argmax() == 0
    assert vectors[2].argmax() == 1
    assert [AT_ONCE, 2] == [len(asked["input"]) for asked in server.asked]
    assert {"Bearer k3y"} == set(server.keys)
    assert (3, "openai/tiny") == (embedder.dimension, embedder.model)
    assert "k3y" not in repr(embedder)


@pytest.mark.parametrize("fault", ["status", "text", "short"])
def test_whatever_the_server_does_wrong_is_one_error_without_its_text(server: Served, fault: str) -> None:
    embedder = embedding(server, dims=3)
    server.spoils = fault
    with pytest.raises(EmbeddingError) as raised:
        embedder.embed(["a", "b"])
    assert "k3y" not in str(raised.value.as_dict())
    assert "127.0.0.1" not in str(raised.value.as_dict())


def test_a_memory_uses_the_server_that_the_settings_name_and_outlives_it(server: Served) -> None:
    settings = read(
        environ={
            "HORNBOOK_EMBEDDING__PROVIDER": "openai",
            "HORNBOOK_EMBEDDING__MODEL": "tiny",
            "HORNBOOK_EMBEDDING__BASE_URL": f"http://127.0.0.1:{server.server_port}",
            "HORNBOOK_EMBEDDING__API_KEY": "k3y",
        }
    )
    with Memory.open(":memory:", user="ana", settings=settings, clock=ticking()) as memory:
        server.spoils = "status"
        unseen = memory.store("The cab came back.").node_id
        server.spoils = ""
        memory.store("The bee buzzed about.")
        assert memory.index().embedded == 1
        hit = memory.search("Which cab came back?").hits[0]
        assert (unseen, True) == (hit.node_id, hit.semantic_relevance is not None)

        server.spoils = "status"
        found = memory.search("Did the cab come back?")
        assert unseen == found.hits[0].node_id
        assert "openai/tiny" in found.metrics["backend_failures"]["vector"]


def test_the_providers_of_the_settings() -> None:
    assert "minilm-static-192" == embedder_of(Embedding(provider="static")).model
    assert "all-MiniLM-L6-v2-int8" == embedder_of(Embedding()).model
    assert "ollama/nomic" == embedder_of(Embedding(provider="ollama", model="nomic")).model
    for lacking in (Embedding(provider="openai"), Embedding(model="tiny")):
        with pytest.raises(InvalidArgument):
            embedder_of(lacking)
