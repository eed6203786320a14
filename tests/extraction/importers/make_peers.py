"""`make_peers.py SYSTEM FOLDER`, run by a Python that has another system installed: a file as that system writes it."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def mempill(folder: Path) -> dict[str, Any]:
    """Claims of every provenance, one that rests on another, one that ended, and a dispute."""
    mempill: Any = import_module("mempill")
    engine = mempill.open_for_agent(str(folder), "ana")
    labels = mempill.ProvenanceLabel

    def say(subject: str, predicate: str, value: Any, provenance: Any, **more: Any) -> str:
        request = {
            "agent_id": "ana",
            "subject": subject,
            "predicate": predicate,
            "value": value,
            "provenance": provenance,
            "cardinality": more.get("cardinality", "Functional"),
            "valid_time": more.get("valid_time"),
            "confidence": {"value_confidence": more.get("confidence", 0.9), "valid_time_confidence": 0.9},
            "criticality": more.get("criticality", "Low"),
            "derived_from": more.get("derived_from", []),
        }
        return str(engine.ingest_claim(request)["claim_ref"])

    since = {"start": "2020-03-01T00:00:00Z", "valid_time_confidence": 0.9, "start_granularity": "month"}
    home = say("ana", "lives_in", "Berlin", labels.external_user_asserted(), valid_time=since)
    say(
        *("ana", "works_for", "Acme", labels.external_first_hand()),
        derived_from=[home],
        confidence=0.7,
        criticality="High",
    )
    say("ana", "lives_in", "Rome", labels.model_derived())
    say("ana", "likes", {"drink": "tea"}, labels.recall_re_entry(), cardinality="SetValued")
    say("ben", "lives_in", "Oslo", labels.external_user_asserted())
    say("ben", "lives_in", "Paris", labels.external_user_asserted())
    mempill.end_fact(engine, "ana", "ana", "works_for", at="2024-01-01")
    return {"file": "agent_ana.db"}


def powermem(folder: Path) -> dict[str, Any]:
    """Memories of two users, with metadata, a list of messages, and an update."""
    powermem: Any = import_module("powermem")
    nowhere = {"provider": "openai", "config": {"api_key": "none"}}  # never called: nothing is inferred
    memory = powermem.Memory(
        config={
            "vector_store": {
                "provider": "sqlite",
                "config": {"database_path": str(folder / "powermem.db"), "collection_name": "memories"},
            },
            "llm": nowhere,
            "embedder": {"provider": "mock", "config": {}},
            "intelligent_memory": {"enabled": False},
        }
    )
    owned = {"user_id": "ana", "infer": False}
    memory.add("Ana drinks green tea.", agent_id="a1", run_id="r1", metadata={"room": "kitchen"}, **owned)
    memory.add([{"role": "user", "content": "I moved to Munich."}, {"role": "assistant", "content": "Noted."}], **owned)
    added = memory.add("Ana likes chess.", **owned)
    memory.update(added["results"][0]["id"], "Ana likes go.")
    memory.add("Ben likes chess.", user_id="ben", infer=False)
    return {"file": "powermem.db"}


if __name__ == "__main__":
    made = {"mempill": mempill, "powermem": powermem}[sys.argv[1]](Path(sys.argv[2]))
    print(json.dumps(made))
