"""`hornbook ingest`: counts, names and exit status; stopped, resumed and repeated without loss."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.extraction.model.server import Reply, scripted

from hornbook.cli import main
from hornbook.memory import Memory

LIVES = {"subject": "Ana", "predicate": "lives_in", "value": "Oslo", "quote": "Ana lives in Oslo"}
GOOD = json.dumps({"claims": [LIVES], "entities": [{"name": "Ana", "type": "person"}]})


@pytest.fixture(autouse=True)
def _away_from_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))
    monkeypatch.setenv("HORNBOOK_EMBEDDING__PROVIDER", "static")


@pytest.fixture
def modelled(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a server on loopback be the model."""

    def made(url: str, **more: str) -> None:
        given = {"PROVIDER": "openai", "MODEL": "gpt-4o-mini", "BASE_URL": url, "API_KEY": "k", "RETRIES": "0", **more}
        for key, value in given.items():
            monkeypatch.setenv(f"HORNBOOK_EXTRACTION__{key}", value)

    return made


def run(capsys: pytest.CaptureFixture[str], *given: str) -> tuple[int, dict[str, Any], str]:
    """Exit status, counts, and what was said on standard error."""
    status = main(["ingest", "--json", *given])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


def test_a_folder_is_read_and_read_again_without_change(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.txt").write_text("Ana lives in Oslo.")
    (notes / "b.jsonl").write_text('{"text": "Bob works for Acme."}\n{"text": "Cy likes tea."}\n')
    first, again = run(capsys, str(notes)), run(capsys, str(notes))

    assert (0, 3, 3, 0) == (first[0], first[1]["stored"], first[1]["extracted"], first[1]["failed"])
    assert first[1]["claims"] >= 2
    assert (0, 0, 3) == (again[0], again[1]["stored"], again[1]["known"])


def test_bad_input_is_counted_and_named_and_the_rest_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Ana lives in Oslo.")
    (tmp_path / "b.txt").write_bytes(b"")
    (tmp_path / "c.bin").write_bytes(b"\0\1\2")
    (tmp_path / "d.jsonl").write_text('{"text": "Bob works for Acme."}\n{"text": "cu')
    (tmp_path / "e.jsonl").write_text('{"text": "fine", "role": "king"}\n')
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt", "c.bin", "d.jsonl", "e.jsonl")]
    status, counts, err = run(capsys, *files)

    assert (3, 2, 4) == (status, counts["stored"], counts["failed"])
    assert [
        "hornbook: b.txt: it is empty",
        "hornbook: c.bin: it is binary, not text",
        "hornbook: d.jsonl, line 2: it is not JSON; the file seems to be cut off",
        "hornbook: e.jsonl, line 1: role is not a known word",
    ] == err.splitlines()


def test_the_bar_shows_texts_rate_cost_and_failures() -> None:
    from rich.console import Console

    from hornbook.cli.bar import bar
    from hornbook.extraction.batch.tally import Tally
    from hornbook.extraction.candidate import Usage

    shown = io.StringIO()
    with bar(1_000, Console(file=shown, force_terminal=True, width=200)) as report:
        report(Tally(texts=12, claims=7, failed=1, usage=Usage(12, 100, 10, 0.0123)), 500)

    for part in ("50%", "12 texts", "/s", "7 claims", "1 failed", "$0.0123"):
        assert part in shown.getvalue()


def test_a_dry_run_stores_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ana lives in Oslo.")
    status, counts, _ = run(capsys, str(tmp_path / "a.txt"), "--dry-run")

    assert (0, 1, 0) == (status, counts["claims"], counts["stored"])
    assert 1 == run(capsys, str(tmp_path / "a.txt"))[1]["stored"]


@pytest.mark.parametrize("given", [[], ["nowhere.txt"], ["--format", "xml", "."]])
def test_a_wrong_call_is_a_usage_error(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["ingest", *given])
    assert capsys.readouterr().err


def test_a_model_that_fails_loses_no_text_and_resume_reads_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, modelled: Any
) -> None:
    (tmp_path / "a.txt").write_text("Ana lives in Oslo.")
    with scripted(Reply(status=401), Reply(GOOD)) as server:
        modelled(server.url)
        first = run(capsys, str(tmp_path / "a.txt"))
        known = run(capsys, str(tmp_path / "a.txt"))
        resumed = run(capsys, "--resume")

    assert (3, 1, 0, 1) == (first[0], first[1]["stored"], first[1]["extracted"], first[1]["failed"])
    assert "refuses the key" in first[2]
    assert (0, 1) == (known[0], known[1]["known"]), "what failed is asked for again only when resumed"
    assert (0, 1, 1) == (resumed[0], resumed[1]["extracted"], resumed[1]["claims"])
    assert 1100 == resumed[1]["tokens"] and resumed[1]["cost"] > 0


def test_nonsense_ten_times_is_ten_failures_and_ten_texts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, modelled: Any
) -> None:
    lines = "\n".join(json.dumps({"text": f"Ana lives in Oslo, {number}."}) for number in range(10))
    (tmp_path / "a.jsonl").write_text(lines)
    with scripted("What a lovely text!") as server:
        modelled(server.url)
        status, counts, err = run(capsys, str(tmp_path / "a.jsonl"))

    assert (3, 10, 0, 10) == (status, counts["stored"], counts["extracted"], counts["failed"])
    assert 10 == err.count("never with anything that can be read")


def test_a_quote_that_is_not_in_the_text_is_counted_as_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, modelled: Any
) -> None:
    (tmp_path / "a.txt").write_text("Ben likes tea.")
    with scripted(GOOD) as server:
        modelled(server.url)
        status, counts, _ = run(capsys, str(tmp_path / "a.txt"))

    assert (0, 1, 0, 1) == (status, counts["extracted"], counts["claims"], counts["left_out"])


def test_a_budget_stops_the_model_and_keeps_the_texts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, modelled: Any
) -> None:
    lines = "\n".join(json.dumps({"text": f"Ana lives in Oslo, {number}."}) for number in range(12))
    (tmp_path / "a.jsonl").write_text(lines)
    with scripted(GOOD) as server:
        modelled(server.url)
        status, counts, err = run(capsys, str(tmp_path / "a.jsonl"), "--max-cost", "0.001")
        rest = run(capsys, "--resume", "--max-cost", "1")

    assert (3, 12) == (status, counts["stored"])
    assert 0 < counts["cost"] <= 0.001
    assert 0 < counts["extracted"] < 12
    assert "the budget of $0.001 is spent" in err
    assert (0, 12) == (rest[0], rest[1]["extracted"] + counts["extracted"])


def test_a_budget_for_a_model_without_a_price_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, modelled: Any
) -> None:
    (tmp_path / "a.txt").write_text("Ana lives in Oslo.")
    modelled("http://127.0.0.1:9/v1", MODEL="home-made")

    assert 2 == main(["ingest", "--max-cost", "1", str(tmp_path / "a.txt")])
    assert "PRICE_IN" in capsys.readouterr().err
    assert not (tmp_path / "memories").exists()  # refused before anything was opened


def test_an_interrupt_finishes_the_texts_at_work_and_the_next_run_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, modelled: Any
) -> None:
    lines = "\n".join(json.dumps({"text": f"Ana lives in Oslo, {number}."}) for number in range(150))
    (tmp_path / "a.jsonl").write_text(lines)
    with scripted(GOOD) as server:
        modelled(server.url, CONCURRENCY="32")

        def interrupt() -> None:
            while not server.seen:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        status, counts, err = run(capsys, str(tmp_path / "a.jsonl"))
        thread.join()
        rest = run(capsys, str(tmp_path / "a.jsonl"))

    assert (3, True) == (status, counts["stopped"])
    assert 0 < counts["stored"] == counts["extracted"] < 150
    assert "run it again to go on" in err
    assert (0, 150 - counts["stored"], counts["stored"]) == (rest[0], rest[1]["extracted"], rest[1]["known"])


def facts(where: Path) -> tuple[list[Any], list[Any]]:
    """The texts of a memory in order, and its claims."""
    with Memory.open(where, user="ana") as memory, memory._store.journal.reading() as snapshot:
        said = [event.body for event in snapshot.events(kinds=("episode.recorded",)) if event.body]
        claims = [event.body["claim"] for event in snapshot.events(kinds=("claim.recorded",)) if event.body]
    return (
        [(body["position"], body["content"]) for body in said],
        [(claim["subject"], claim["predicate"], claim["value"]) for claim in claims],
    )


@pytest.mark.slow
@pytest.mark.parametrize("size", [400_000, 700_000])
def test_a_run_that_was_killed_and_run_again_equals_an_unbroken_one(size: int, tmp_path: Path) -> None:
    cities = ("Oslo", "Bergen", "Voss")
    lines = [{"text": f"Jim Person{number % 150} lives in {cities[number % 3]}."} for number in range(200)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    command = [sys.executable, "-m", "hornbook", "ingest", str(tmp_path / "a.jsonl"), "--user", "ana", "--db-path"]
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True, timeout=120)
    broken = subprocess.Popen([*command, str(tmp_path / "broken")], stdout=subprocess.DEVNULL)
    journal = tmp_path / "broken" / "ana"
    while sum(one.stat().st_size for one in journal.glob("journal.db*")) < size and broken.poll() is None:
        time.sleep(0.01)
    broken.kill()
    assert -signal.SIGKILL == broken.wait()
    subprocess.run([*command, str(tmp_path / "broken")], check=True, capture_output=True, timeout=120)

    assert facts(tmp_path / "whole") == facts(tmp_path / "broken")
