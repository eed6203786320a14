"""A model asked through litellm itself, over a real server that answers well, badly, late or not at all."""

import json
import socket
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from tests.conftest import Outside
from tests.extraction.model.conftest import Made
from tests.extraction.model.server import Reply, scripted

from hornbook.extraction.candidate import Passage
from hornbook.extraction.model.client import Options
from hornbook.extraction.model.schema import Answer
from hornbook.graph.errors import BudgetSpent, ExtractionError

ANA = Passage("Ana lives in Oslo. She works for Acme.", "Ben")
LIVES = {"subject": "Ana", "predicate": "lives_in", "value": "Oslo", "quote": "Ana lives in Oslo"}
WORKS = {"subject": "Ana", "predicate": "works_for", "value": "Acme", "quote": "She works for Acme"}
GOOD: dict[str, Any] = {"claims": [LIVES, WORKS], "entities": [{"name": "Ana", "type": "Person"}]}
TEXT = json.dumps(GOOD)


def values(candidates: Any) -> list[Any]:
    """The value of each claim."""
    return [one.value for one in candidates]


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json", "md_json"])
def test_a_good_answer_is_read_in_every_mode(mode: str, extractor: Made) -> None:
    with scripted(GOOD) as server:
        found = extractor(server.url, mode=mode).extract(ANA)

    asked = server.seen[0]
    assert ["Oslo", "Acme"] == values(found.candidates)
    assert "litellm openai/gpt-4o-mini / prompt 1" == found.extractor
    assert ("person",) == tuple(one.type for one in found.mentions)
    assert ("tools" in asked, asked.get("response_format", {}).get("type")) == {
        "tools": (True, None),
        "json_schema": (False, "json_schema"),
        "json": (False, "json_object"),
        "md_json": (False, None),
    }[mode]


WRAPPED = {
    "fenced": f"Here you are:\n```json\n{TEXT}\n```\nAnything else?",
    "thought over": f'<think>The user wants {{"claims": []}}. Hmm.</think>\n{TEXT}',
    "after prose": f"I found these: {TEXT}",
    "with trailing commas": TEXT.replace("}]", "},]"),
    "inside the schema": json.dumps({"type": "object", "properties": GOOD}),
    "as a bare list": json.dumps([LIVES, WORKS]),
}


@pytest.mark.parametrize("mode", ["tools", "json"])
@pytest.mark.parametrize("how", WRAPPED)
def test_an_answer_in_wrapping_is_unwrapped_at_the_first_try(how: str, mode: str, extractor: Made) -> None:
    with scripted(Reply(WRAPPED[how], as_text=True)) as server:
        found = extractor(server.url, mode=mode).extract(ANA)

    assert ["Oslo", "Acme"] == values(found.candidates)
    assert 1 == len(server.seen)


BAD = {
    "prose": "I am sorry, I cannot do that.",
    "the schema sent back": json.dumps(Answer.model_json_schema()),
    "nothing": "",
    "another object": '{"answer": 42}',
    "a cut answer without a claim": TEXT[:30],
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_answer_is_asked_for_again_with_what_is_wrong_with_it(how: str, extractor: Made) -> None:
    with scripted(BAD[how], GOOD) as server:
        found = extractor(server.url, mode="json").extract(ANA)

    assert ["Oslo", "Acme"] == values(found.candidates)
    assert 2 == found.usage.calls == len(server.seen)
    assert "cannot be read" in server.seen[1]["messages"][-1]["content"]


def test_nonsense_for_ever_is_an_error_and_never_an_empty_answer(extractor: Made) -> None:
    with scripted("No.") as server, pytest.raises(ExtractionError, match="never with anything that can be read"):
        extractor(server.url).extract(ANA)

    assert 3 == len(server.seen)


def test_of_an_answer_that_stays_cut_the_whole_claims_are_kept_and_the_loss_is_told(extractor: Made) -> None:
    denied = {**WORKS, "polarity": "not"}
    cut = json.dumps({"claims": [LIVES, denied]}).rpartition(', "polarity"')[0]  # reads as if she worked there
    with scripted(Reply(cut, finish="length")) as server:
        found = extractor(server.url).extract(ANA)

    assert ["Oslo"] == values(found.candidates)
    assert ("the model's answer was cut off; its last claim is left out",) == found.notes


def test_of_an_answer_with_wrong_types_the_right_claims_are_kept_and_the_others_named(extractor: Made) -> None:
    wrong = {**WORKS, "value": {"name": "Acme"}}
    with scripted({"claims": [LIVES, wrong], "entities": []}) as server:
        found = extractor(server.url).extract(ANA)

    assert ["Oslo"] == values(found.candidates)
    assert any("claim 2 was left out: value" in note for note in found.notes)
    assert 3 == len(server.seen)


def test_words_that_small_models_use_for_numbers_and_types_are_understood(extractor: Made) -> None:
    said = {**LIVES, "confidence": "high", "polarity": "HOLDS", "when": "null", "said_by": "None"}
    entities = [{"name": "Oslo", "type": "City", "aliases": None}, {"name": "Acme", "type": "startup"}]
    with scripted({"claims": [said], "entities": entities}) as server:
        found = extractor(server.url).extract(ANA)

    assert [0.9] == [one.confidence for one in found.candidates]
    assert ["place", "thing"] == [one.type for one in found.mentions]
    assert 1 == len(server.seen)


def test_half_of_a_surrogate_pair_drops_no_claim(extractor: Made) -> None:  # mem0ai/mem0#4540
    raw = json.dumps(GOOD).replace('"Oslo"', '"Oslo\\ud83d"')
    with scripted(Reply(raw)) as server:
        found = extractor(server.url).extract(ANA)

    assert ["Oslo\ufffd", "Acme"] == values(found.candidates)
    assert json.dumps(values(found.candidates)).encode()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_is_transient_is_tried_again(status: int, extractor: Made) -> None:
    with scripted(Reply(status=status), Reply(status=status), GOOD) as server:
        found = extractor(server.url).extract(ANA)

    assert 2 == len(found.candidates)
    assert 3 == len(server.seen)


def test_a_provider_says_how_long_to_wait(extractor: Made) -> None:
    with scripted(Reply(status=429, headers=(("retry-after", "0.3"),)), GOOD) as server:
        began = time.monotonic()
        extractor(server.url, backoff=20.0).extract(ANA)

    assert 0.3 <= time.monotonic() - began < 10


def test_a_limit_that_stays_is_an_error_in_our_words(extractor: Made) -> None:
    with scripted(Reply(status=429)) as server, pytest.raises(ExtractionError, match="limits the rate"):
        extractor(server.url, retries=2).extract(ANA)

    assert 3 == len(server.seen)


@pytest.mark.parametrize(("status", "words"), [(401, "refuses the key"), (404, "knows no such model")])
def test_what_no_patience_mends_is_told_at_once(status: int, words: str, extractor: Made) -> None:
    with scripted(Reply(status=status)) as server, pytest.raises(ExtractionError, match=words) as told:
        extractor(server.url, api_key="sk-secret").extract(ANA)

    assert 1 == len(server.seen)
    assert "sk-secret" not in json.dumps(told.value.as_dict())
    assert told.value.hint


def test_a_model_that_hangs_is_given_up_on(extractor: Made) -> None:
    with scripted(Reply(hangs=True)) as server, pytest.raises(ExtractionError, match="did not answer in time"):
        extractor(server.url, timeout=0.2, retries=1).extract(ANA)

    assert 2 == len(server.seen)


def test_an_unreachable_provider_is_named(extractor: Made) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    with pytest.raises(ExtractionError, match=r"cannot be reached|provider failed"):
        extractor(nobody, retries=1).extract(ANA)


def test_a_provider_that_refuses_tools_is_asked_in_a_simpler_way_from_then_on(extractor: Made) -> None:  # mem0#4607
    with scripted(Reply(status=400), Reply(status=400), GOOD) as server:
        model = extractor(server.url)
        both = [model.extract(ANA), model.extract(ANA)]

    assert [2, 2] == [len(found.candidates) for found in both]
    asked = ["tools" in one or one["response_format"]["type"] for one in server.seen]
    assert [True, "json_schema", "json_object", "json_object"] == asked


def test_questions_that_are_refused_together_go_one_step_and_no_further(extractor: Made) -> None:
    refusals = [Reply(status=400)] * 3
    with scripted(*refusals, GOOD) as server:
        server.together = threading.Barrier(3)  # none is refused before all are asked
        found = list(extractor(server.url, concurrency=3).extract_many([ANA] * 3))

    assert [2, 2, 2] == [len(one.candidates) for one in found]
    assert not any("json_object" in str(one.get("response_format")) for one in server.seen)


def test_what_is_refused_in_every_way_does_not_change_the_way_of_asking(extractor: Made) -> None:
    with scripted(*[Reply(status=400)] * 4, GOOD) as server:
        model = extractor(server.url)
        with pytest.raises(ExtractionError, match="refuses the request"):
            model.extract(ANA)
        model.extract(ANA)

    assert 5 == len(server.seen)
    assert "tools" in server.seen[4]


def test_no_key_is_shown_by_anything_that_is_printed(extractor: Made) -> None:
    model = extractor("http://127.0.0.1:9/v1", api_key="sk-secret")

    assert "sk-secret" not in repr((model, vars(model), model._ask))
    assert "sk-secret" not in repr(Options("m", api_key="sk-secret"))


def test_many_are_asked_at_once_and_answered_in_order(extractor: Made) -> None:
    texts = [f"Person {number} lives in Oslo." for number in range(12)]
    replies = [
        Reply(json.dumps({"claims": [{**LIVES, "subject": text[:9].strip(), "quote": text}]}), of=text)
        for text in texts
    ]
    failing = Reply(status=401, of="Person 5 ")
    with scripted(failing, *[one for one in replies if "Person 5 " not in (one.of or "")]) as server:
        server.together = threading.Barrier(3)
        found = list(extractor(server.url, concurrency=3).extract_many(Passage(text) for text in texts))

    assert [None if n == 5 else f"Person {n}" for n in range(12)] == [
        one.candidates[0].subject if one.candidates else None for one in found
    ]
    assert isinstance(found[5].error, ExtractionError)
    assert 3 == server.most_at_once


def test_calls_are_spaced_out(extractor: Made) -> None:
    with scripted(GOOD) as server:
        began = time.monotonic()
        list(extractor(server.url, per_minute=600).extract_many([ANA] * 4))

    assert 0.3 <= time.monotonic() - began
    assert 4 == len(server.seen)


def test_tokens_and_dollars_are_counted_over_every_call(extractor: Made) -> None:
    with scripted("no", GOOD) as server:
        usage = extractor(server.url).extract(ANA).usage

    assert (2, 2000, 200) == (usage.calls, usage.read, usage.written)
    assert pytest.approx(2 * (1000 * 0.15 + 100 * 0.6) / 1e6) == usage.cost


def test_a_model_without_a_known_price_says_so(extractor: Made) -> None:
    with scripted(GOOD) as server:
        assert extractor(server.url, model="openai/home-made").extract(ANA).usage.cost is None


def test_a_budget_is_not_overdrawn(extractor: Made) -> None:
    with scripted(GOOD) as server:
        found = list(extractor(server.url, most=0.0015).extract_many([ANA] * 20))

    spent = sum(one.usage.cost or 0.0 for one in found)
    assert 0 < spent <= 0.0015
    assert isinstance(found[-1].error, BudgetSpent)
    assert len(server.seen) < 20


def test_the_guard_lets_nothing_out() -> None:
    with pytest.raises(Outside):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)


def test_the_library_is_loaded_with_the_first_question_only() -> None:
    probe = (
        "import sys; from hornbook.extraction.model.extractor import LLMExtractor;"
        "import hornbook.extraction.model.client; sys.exit(str([m for m in ('litellm', 'openai') if m in sys.modules]"
        " or ''))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False, timeout=60)
    assert "" == done.stderr.strip()


def test_a_process_that_asked_ends_without_a_connection_open() -> None:
    program = (
        "from hornbook.memory import Memory; from hornbook.settings import read; import sys;"
        "settings = read({'extraction': {'model': 'x', 'base_url': sys.argv[1]}});"
        "memory = Memory.open(':memory:', user='ana', settings=settings);"
        "print(len(memory.ingest('Ana lives in Oslo.').claims)); memory.close()"
    )
    with scripted({"claims": [LIVES]}) as server:
        command = [sys.executable, "-W", "default::ResourceWarning", "-c", program, server.url]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)

    assert "1" == ended.stdout.strip()
    assert "unclosed" not in ended.stderr
