"""The embedder: the model that ships, its digest, and anybody's own."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.retrieval.store import MINILM, texts
from tokenizers import BertWordPieceTokenizer

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval import wordpiece
from hornbook.graph.retrieval.embed import CallableEmbedder, MiniLM, spoken

VOCABULARY = Path(wordpiece.__file__).parent.parent / "assets" / "bert-uncased-vocab.txt"


def test_the_model_says_what_it_should() -> None:
    eating, bread = MINILM.embed(["A man is eating food.", "A man is eating a piece of bread."])

    assert 0.753 == pytest.approx(float(eating @ bread), abs=0.01)


def test_vectors_come_in_the_order_of_their_texts_whatever_their_length() -> None:
    given_texts = [*texts()[:40], "a", "long " * 300]
    batch = MINILM.embed(given_texts)

    assert (42, 384, np.float32) == (*batch.shape, batch.dtype)
    for row in (0, 17, 40, 41):
        assert float(batch[row] @ MINILM.embed([given_texts[row]])[0]) > 0.99


def test_no_text_gives_no_vector_and_an_empty_text_a_unit_one() -> None:
    assert (0, 384) == MINILM.embed([]).shape
    assert 1.0 == pytest.approx(float(np.linalg.norm(MINILM.embed([""]))), abs=1e-5)


def test_what_is_done_to_an_answer_does_not_change_the_next() -> None:
    first = MINILM.embed(["the same question"])
    kept = first.copy()
    first[:] = 0

    assert np.array_equal(kept, MINILM.embed(["the same question"]))


def test_a_changed_model_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"another model")

    with pytest.raises(EmbeddingError, match="not the pinned one"):
        MiniLM(path=other).embed(["hello"])


def test_the_runtime_of_the_model_notes_nothing_for_its_makers(tmp_path: Path) -> None:
    home = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    told = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    program = "from hornbook.graph.retrieval.embed import MiniLM; MiniLM(threads=1).embed(['hello'])"
    subprocess.run([sys.executable, "-c", program], env={**told, **home}, check=True, timeout=60)
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file()]


def test_threads_share_one_model() -> None:
    model = MiniLM(threads=1)
    seen: list[float] = []
    workers = [threading.Thread(target=lambda: seen.append(float(model.embed(["hello"])[0, 0]))) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert 4 == len(seen)
    assert 1 == len(set(seen))


def test_a_callable_is_an_embedder() -> None:
    own = CallableEmbedder(lambda given_texts: [[3.0, 4.0] for _ in given_texts], "own", 2)

    assert [[pytest.approx(0.6), pytest.approx(0.8)]] == own.embed(["x"]).tolist()
    assert own.digest != CallableEmbedder(lambda given_texts: [], "other", 2).digest


@pytest.mark.parametrize("answer", [[[1.0]], [[1.0, 2.0], [1.0, 2.0]], [[float("nan"), 1.0]]])
def test_a_callable_that_gives_another_shape_is_refused(answer: list[list[float]]) -> None:
    with pytest.raises(EmbeddingError, match="expected finite vectors of shape"):
        CallableEmbedder(lambda given_texts: answer, "broken", 2).embed(["x"])


def test_the_speaker_is_part_of_what_is_embedded() -> None:
    assert "Ana: I moved." == spoken("I moved.", "Ana")


# the tokenizer's Unicode tables are older than Python's: newer marks and private use are left out
LETTERS = st.characters(max_codepoint=0x5FF, exclude_categories=["Cs", "Cn"]) | st.sampled_from(
    "茶東京카フ🎉👩\u200d€\ufeff"
)


@given(st.text(LETTERS, max_size=80))
@settings(max_examples=50, deadline=None)
def test_our_word_pieces_are_those_of_the_models_own_tokenizer(text: str) -> None:
    tokenizer = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)
    tokenizer.enable_truncation(256)

    assert tokenizer.encode(text).ids == wordpiece.encode(text)
