"""What the three documented interfaces promise, a row each, with the tests that prove it.

A row is (id, source, sentence, tests). The ids of arguments are `tool.argument`, those of reply fields `tool->field`.
`tests` names a case of `tests/cases` by its id, or a test by `file.py::name` below `tests`. What is known not to be
kept has a `gap` that says why. `test_promises.py` holds the table to the tests, and to what the server offers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# ruff: noqa: E501 - a row is a line

REQUIRED: Any = object()  # an argument that has no default
FREE: Any = object()  # an argument that may be left out, and has no value then

MEMORY, RECORDS, CLAIMS = "memory tools document", "record tools document", "claim tools document"


@dataclass(frozen=True, slots=True)
class Promise:
    """One thing that a document promises; of an argument, its default too."""

    id: str
    source: str
    sentence: str
    tests: tuple[str, ...]
    default: Any = None
    gap: str | None = None


GATE, HTTP, STDIO = "mcp/test_gate.py::", "mcp/test_http.py::", "mcp/test_stdio.py::"
SET, OWNER, DOCUMENTED = "mcp/test_settings.py::", "mcp/test_owner.py::", "mcp/test_documented.py::"
AGENTS = "records/test_records.py::test_agents_and_runs_narrow_every_tool_alike"
OTHERS = "records/test_records.py::test_another_agents_record_is_not_found"
OPTIONAL_USER = "mcp/test_server.py::test_every_tool_that_acts_on_a_memory_takes_a_user_and_none_requires_it"
TRIP = "mcp/test_round_trip.py::test_a_stored_memory_is_read_searched_and_archived_in_both_eras"

# tool: what it does and its proof; then (argument or ->field, what it means, default, proofs), the last in one text
TOOLS: dict[str, tuple[str, str, str, tuple[tuple[str, str, Any, str], ...]]] = {
    "memory_store": (
        MEMORY,
        "stores one memory, found by its words and by its meaning",
        f"mem-store-get mem-retrieve {TRIP}",
        (
            ("content", "the text to store", REQUIRED, "mem-store-get err-store-missing-content"),
            ("user_id", "the owner; ours may be left out", FREE, f"mem-two-users-same-words {OPTIONAL_USER}"),
            ("node_type", "one of eight kinds", "note", "mem-store-get mem-type-fact mem-type-task err-store-node-type"),
            ("scope", "personal, project or organisation", "personal", "mem-store-get mem-scopes err-store-scope"),
            ("role", "who spoke, of five roles", "user", "mem-roles err-store-role"),
            ("speaker", "the name of who said it, shown to the reader", FREE, f"mem-roles {DOCUMENTED}test_a_context_says_who_spoke"),
            ("->event_id", "the event that stored it", None, "mem-store-get"),
            ("->node_id", "the memory's id", None, "mem-store-get"),
        ),
    ),
    "memory_retrieve": (
        MEMORY,
        "searches by several signals",
        "mem-retrieve mem-retrieve-explain",
        (
            ("query", "a question in words", REQUIRED, "mem-retrieve mem-query-quotes"),
            ("user_id", "whose memory is searched", FREE, f"mem-other-user-search {OPTIONAL_USER}"),
            ("scope", "only this scope", FREE, "mem-scopes err-retrieve-scope"),
            ("knowledge_at", "as known at an instant", FREE, "mem-known-before-storing mem-known-before-archiving"),
            ("min_score", "an inclusive floor", FREE, f"mem-retrieve-min-score {DOCUMENTED}test_the_floor_is_inclusive_and_on_the_similarity"),
            ("->results", "what was found, best first", None, "mem-retrieve mem-retrieve-nothing-stored"),
            ("->count", "how many", None, "mem-retrieve-count"),
            ("->metrics", "how the search went", None, "mem-retrieve"),
        ),
    ),
    "memory_ingest": (
        MEMORY,
        "stores a text and extracts entities and facts; ours needs no key of a model",
        "mem-ingest extraction/test_pipeline.py::test_mentions_become_entities_with_their_other_names",
        (
            ("content", "the text", REQUIRED, "mem-ingest err-ingest-blank"),
            ("user_id", "the owner", FREE, f"mem-ingest {OPTIONAL_USER}"),
            ("role", "who spoke", "user", f"{DOCUMENTED}test_an_ingested_text_keeps_role_speaker_and_scope"),
            ("speaker", "the name of who said it", FREE, f"{DOCUMENTED}test_an_ingested_text_keeps_role_speaker_and_scope"),
            ("scope", "the scope", "personal", f"{DOCUMENTED}test_an_ingested_text_keeps_role_speaker_and_scope"),
            ("->event_id", "the event that stored the text", None, "mem-ingest mem-ingest-twice"),
        ),
    ),
    "memory_organize": (
        MEMORY,
        "runs maintenance",
        "mem-organize organize/test_organize.py::test_all_jobs_run_on_an_empty_memory_and_say_why_they_did_nothing",
        (
            ("user_id", "whose memory", FREE, f"mem-organize {OPTIONAL_USER}"),
            ("jobs", "names with commas between; all if left out", FREE, "mem-organize-unknown-job mcp/test_upkeep.py::test_maintenance_reports_and_names_its_jobs"),
            ("budget_ms", "milliseconds", 5000, "err-organize-budget organize/test_organize.py::test_a_job_goes_on_where_its_budget_ended"),
            ("->jobs_run", "which ran", None, "mem-organize"),
            ("->duration_ms", "how long", None, "mem-organize"),
        ),
    ),
    "memory_get_node": (
        MEMORY,
        "gives all fields of a memory, or an error",
        "mem-store-get mem-get-unknown mem-long-content",
        (("node_id", "its UUID", REQUIRED, "mem-store-get mem-get-unknown"),),
    ),
    "memory_promote_node": (
        MEMORY,
        "makes a tentative memory stable, and gives it back",
        "mem-promote mem-promote-contested",
        (("node_id", "its UUID", REQUIRED, "mem-promote mem-promote-archive-unknown"),),
    ),
    "memory_archive_node": (
        MEMORY,
        "archives a memory for good, out of retrieval, and gives it back",
        "mem-archive mem-archived-is-terminal",
        (("node_id", "its UUID", REQUIRED, "mem-archive mem-promote-archive-unknown"),),
    ),
    "add_memory": (
        RECORDS,
        "adds a text, a message or a list of messages",
        "rec-add-get",
        (
            ("messages", "a string, a message object, or a list of them", REQUIRED, "rec-add-get rec-add-dict rec-add-list err-add-memory-blank"),
            ("user_id", "whose; the default user if left out", FREE, "rec-default-user"),
            ("agent_id", "the agent", FREE, f"rec-search-scope-combination rec-delete-all-agent {AGENTS}"),
            ("run_id", "the run or conversation", FREE, f"rec-search-scope-combination rec-delete-all-run {AGENTS}"),
            ("metadata", "an object, kept", FREE, "rec-add-metadata"),
            ("scope", "a word such as user, agent, session", FREE, f"rec-add-all-parameters {DOCUMENTED}test_scope_type_and_filters_of_a_record_are_kept"),
            ("memory_type", "a classification", FREE, f"rec-add-all-parameters {DOCUMENTED}test_scope_type_and_filters_of_a_record_are_kept"),
            ("filters", "metadata to filter by", FREE, f"rec-add-all-parameters {DOCUMENTED}test_scope_type_and_filters_of_a_record_are_kept"),
        ),
    ),
    "search_memories": (
        RECORDS,
        "searches by meaning and by words",
        "rec-search",
        (
            ("query", "the question", REQUIRED, "rec-search err-search-missing-query"),
            ("user_id", "only this user's", FREE, "rec-search-other-user"),
            ("agent_id", "only this agent's", FREE, f"rec-search-scope-combination {AGENTS}"),
            ("run_id", "only this run's", FREE, f"rec-search-scope-combination {AGENTS}"),
            ("limit", "most results", 10, "rec-search-limit rec-search-limit-range"),
            ("filters", "conditions on metadata", FREE, "rec-search-filters rec-odd-filter-key"),
            ("threshold", "least similarity, 0 to 1", FREE, "rec-search-threshold-exact rec-search-threshold-range"),
        ),
    ),
    "get_memory": (
        RECORDS,
        "reads one record",
        "rec-add-get",
        (
            ("memory_id", "its number", REQUIRED, "rec-id-as-number-and-text rec-get-unknown"),
            ("user_id", "checked against its owner", FREE, "rec-get-other-user"),
            ("agent_id", "checked against its agent", FREE, OTHERS),
        ),
    ),
    "update_memory": (
        RECORDS,
        "changes a record's text, metadata or both",
        "rec-update",
        (
            ("memory_id", "its number", REQUIRED, "rec-update rec-update-unknown"),
            ("content", "the new text", REQUIRED, "rec-update rec-update-blank"),
            ("user_id", "checked against its owner", FREE, "rec-update-other-user"),
            ("agent_id", "checked against its agent", FREE, OTHERS),
            ("metadata", "the new metadata", FREE, "rec-update-metadata"),
        ),
    ),
    "delete_memory": (
        RECORDS,
        "deletes one record",
        "rec-delete rec-delete-survives-restart",
        (
            ("memory_id", "its number", REQUIRED, "rec-delete rec-ids-not-reused"),
            ("user_id", "checked against its owner", FREE, "rec-delete-other-user"),
            ("agent_id", "checked against its agent", FREE, OTHERS),
        ),
    ),
    "delete_all_memories": (
        RECORDS,
        "deletes all records of a user, an agent, a run",
        "rec-delete-all-user rec-delete-all-needs-scope",
        (
            ("user_id", "of this user", FREE, "rec-delete-all-user"),
            ("agent_id", "of this agent", FREE, "rec-delete-all-agent"),
            ("run_id", "of this run", FREE, "rec-delete-all-run"),
        ),
    ),
    "list_memories": (
        RECORDS,
        "lists records",
        "rec-list-pages rec-list-only-own",
        (
            ("user_id", "of this user", FREE, "rec-list-only-own rec-default-user"),
            ("agent_id", "of this agent", FREE, "rec-list-agent-filter"),
            ("run_id", "of this run", FREE, "rec-list-run-filter"),
            ("limit", "most results", 100, "rec-list-pages err-list-limit"),
            ("offset", "results to pass over", 0, "rec-list-pages err-list-limit"),
            ("filters", "conditions on metadata", FREE, "rec-list-metadata-filter"),
        ),
    ),
    "ingest_claim": (
        CLAIMS,
        "states that a subject has a value for a predicate",
        "claim-first claim-read-back",
        (
            ("subject", "whom it is about", REQUIRED, "claim-read-back err-missing-subject"),
            ("predicate", "what is said", REQUIRED, "claim-read-back err-missing-predicate"),
            ("value", "any JSON", REQUIRED, "claim-value-nested claim-value-false claim-value-zero err-missing-value"),
            ("provenance", "a text or a wire object", REQUIRED, "prov-wire-dict err-provenance err-missing-provenance"),
            ("cardinality", "Functional, SetValued or Unknown", "Functional", "claim-set-valued-members claim-unknown-cardinality-conflict claim-conflict-contested err-cardinality"),
            ("confidence_value", "0 to 1", 0.9, "claim-low-confidence-edge err-confidence-above"),
            ("confidence_valid_time", "taken, and without effect", 0.9, "claim-confidence-valid-time-ignored"),
            ("criticality", "Low, Medium, High or Critical", "Low", "claim-update-of-critical-fact err-criticality"),
            ("valid_time", "start, end, their granularities, and the confidence in them", FREE, "claim-succession time-open-end-not-shown"),
            ("derived_from", "claims it rests on", FREE, "dep-chain err-derived-from-no-id"),
            ("->claim_ref", "the claim's id", None, "claim-first"),
            ("->disposition", "what was decided", None, "claim-first"),
            ("->contested_with", "all rivals", None, "claim-conflict-contested claim-conflict-three-sides"),
            ("->status_reason", "why, where it was not committed", None, "claim-conflict-contested claim-quarantined"),
        ),
    ),
    "query_memory": (
        CLAIMS,
        "reads the belief of a line",
        "claim-read-back claim-unknown-line",
        (
            ("subject", "whom it is about", REQUIRED, "claim-read-back err-query-blank-subject"),
            ("predicate", "what is asked; ours may be left out", FREE, "claim-read-back claim-all-lines-of-a-subject"),
            ("as_of_tx_time", "what was known then", FREE, "time-as-of-before-the-conflict err-query-dates"),
            ("valid_at", "what was true then, whatever as_of_tx_time says", FREE, "time-valid-at-day time-both-clocks"),
            ("->belief", "status, primary, alternatives", None, "claim-read-back claim-conflict-belief"),
        ),
    ),
    "reconcile": (
        CLAIMS,
        "looks at lines again and settles what can be settled",
        "contest-reconcile-clean contest-reconcile-undecidable",
        (
            ("subject_lines", "pairs of subject and predicate", REQUIRED, "contest-reconcile-several err-reconcile-pair"),
            ("->outcomes", "pairs of claim and disposition", None, "contest-reconcile-undecidable"),
            ("->oracle_escalations", "how often an oracle was asked", None, "contest-reconcile-undecidable"),
        ),
    ),
    "audit": (
        CLAIMS,
        "reads the ledger, which nothing changes",
        "claim-audit-newest-first",
        (
            ("limit", "most entries", 50, "claim-audit-filter-before-limit err-audit-limit"),
            ("claim_ref", "only this claim's", FREE, "claim-audit-filter-before-limit"),
            ("from_tx_time", "recorded at or after", FREE, "claim-audit-from err-audit-date"),
            ("->entries", "the entries", None, "claim-audit-newest-first"),
        ),
    ),
    "end_fact": (
        CLAIMS,
        "ends the one live claim of a line, in place, so that a successor is no contest",
        "contest-end-fact-then-successor contest-end-fact-ambiguous contest-end-fact-repeat-of-past-end",
        (
            ("subject", "whom it is about", REQUIRED, "contest-end-fact-then-successor"),
            ("predicate", "what ended", REQUIRED, "contest-end-fact-then-successor"),
            ("at", "when; a year, a month, a day or an instant. Ours may be left out to reopen", FREE, "time-end-fact-lenient err-end-fact-date err-end-fact-missing-at"),
            ("provenance", "first-hand from outside", "External:UserAsserted", "prov-external-end-forms prov-model-cannot-end prov-recall-cannot-end"),
            ("confidence", "0 to 1", 1.0, "err-end-fact-confidence"),
            ("->claim_ref", "the claim that was ended", None, "contest-end-fact-then-successor"),
            ("->disposition", "what became of it", None, "contest-end-fact-then-successor"),
            ("->effective_at", "from when", None, "contest-end-fact-then-successor"),
            ("->no_op", "whether the same end stood already", None, "contest-end-fact-again"),
        ),
    ),
}  # fmt: skip

OTHER: tuple[tuple[str, str, str, str], ...] = (
    # flags
    ("--db-path", MEMORY, "a directory, or one file by its ending", f"{SET}test_a_directory_given_by_flag_is_not_replaced_by_an_ambient_pack {DOCUMENTED}test_a_path_with_the_packs_ending_is_one_file"),
    ("--db-path clears the pack", MEMORY, "a pack of the environment does not replace a directory given by flag", f"{SET}test_a_directory_given_by_flag_is_not_replaced_by_an_ambient_pack"),
    ("--transport stdio", MEMORY, "stdio unless said otherwise, closed cleanly when the client hangs up", f"{STDIO}test_one_echoed_line_is_answered_in_the_callers_protocol"),
    ("--transport streamable-http", MEMORY, "HTTP on loopback only, with a key for each user", f"{HTTP}test_each_key_reads_and_writes_its_own_memory_only {GATE}test_another_address_is_one_line_on_stderr"),
    ("--transport sse", MEMORY, "sse is refused", f"{STDIO}test_a_wrong_flag_is_one_line_on_stderr"),
    ("127.0.0.1:8000", MEMORY, "the address is 127.0.0.1, the port 8000", f"{DOCUMENTED}test_the_address_is_the_documented_one"),
    ("--config", RECORDS, "settings from a file", f"{SET}test_a_config_file_of_the_record_server_is_understood {OWNER}test_a_file_of_settings_brings_the_record_tools"),
    ("--env", RECORDS, "settings from an environment file", f"{SET}test_a_flag_beats_the_environment_beats_dotenv_beats_the_config_file {OWNER}test_a_file_of_settings_brings_the_record_tools"),
    (".env", RECORDS, "the .env of the working directory is read", f"{SET}test_a_flag_beats_the_environment_beats_dotenv_beats_the_config_file"),
    ("no configuration", RECORDS, "without any settings the server works", f"{STDIO}test_one_echoed_line_is_answered_in_the_callers_protocol"),
    ("python -m", MEMORY, "it runs as a module too", f"{STDIO}test_one_echoed_line_is_answered_in_the_callers_protocol"),
    # variables
    ("HORNBOOK_MCP_USER_KEYS", MEMORY, "bearer keys for HTTP, without which it does not start", f"{GATE}test_http_does_not_start_without_keys_or_bound_to_one_user {GATE}test_keys_are_an_object_or_a_list"),
    ("HORNBOOK_EXTRACTION__PROVIDER", MEMORY, "the provider of the model", f"{SET}test_a_nested_setting_is_spelled_with_two_underscores"),
    ("HORNBOOK_EXTRACTION__MODEL", MEMORY, "the model", f"{SET}test_a_nested_setting_is_spelled_with_two_underscores"),
    ("HORNBOOK_SCORING__FUSION", MEMORY, "rank fusion unless said otherwise", f"{SET}test_toml_is_read_too {DOCUMENTED}test_rank_fusion_is_the_default_and_results_carry_their_similarity"),
    ("HORNBOOK_DB_PATH", MEMORY, "where the memories are", f"{SET}test_a_directory_given_by_flag_is_not_replaced_by_an_ambient_pack"),
    ("HORNBOOK_PACK_PATH", MEMORY, "one file with a memory", f"{SET}test_a_directory_given_by_flag_is_not_replaced_by_an_ambient_pack"),
    ("LLM_PROVIDER", RECORDS, "read as it is", f"{SET}test_the_record_servers_own_keys_are_read_and_ours_win {DOCUMENTED}test_every_unprefixed_variable_is_read"),
    ("LLM_API_KEY", RECORDS, "read as it is, and never shown", f"{SET}test_the_record_servers_own_keys_are_read_and_ours_win"),
    ("LLM_MODEL", RECORDS, "read as it is", f"{DOCUMENTED}test_every_unprefixed_variable_is_read"),
    ("EMBEDDING_PROVIDER", RECORDS, "read as it is", f"{DOCUMENTED}test_every_unprefixed_variable_is_read"),
    ("EMBEDDING_API_KEY", RECORDS, "read as it is", f"{DOCUMENTED}test_every_unprefixed_variable_is_read"),
    ("EMBEDDING_MODEL", RECORDS, "read as it is", f"{DOCUMENTED}test_every_unprefixed_variable_is_read"),
    ("DATABASE_PROVIDER", RECORDS, "read as it is", f"{DOCUMENTED}test_every_unprefixed_variable_is_read"),
    ("HORNBOOK_AGENT_ID", CLAIMS, "whose memory it is", f"{SET}test_the_claim_servers_directory_and_identity_are_read"),
    ("HORNBOOK_DB_DIR", CLAIMS, "the base directory, a store for each identity", f"{SET}test_the_claim_servers_directory_and_identity_are_read"),
    # resources
    ("memory://health", MEMORY, "status and version", f"mem-resources {DOCUMENTED}test_the_resources_hold_what_they_are_documented_to_hold"),
    ("memory://stats", MEMORY, "how many memories, what kind of store, which version", f"mem-resources {DOCUMENTED}test_the_resources_hold_what_they_are_documented_to_hold"),
    ("memory://nodes/{node_id}", MEMORY, "one memory", f"mem-resources {TRIP}"),
    ("powermem://memory", RECORDS, "the store in sum, as JSON", "rec-resource mcp/test_records.py::test_the_store_in_sum_is_a_resource"),
    # what the documents say beside the tables
    ("semantic_relevance", MEMORY, "under rank fusion each result has the cosine of its memory", f"{DOCUMENTED}test_rank_fusion_is_the_default_and_results_carry_their_similarity graph/retrieval/test_search.py::test_claims_get_their_vectors_at_the_next_search"),
    ("min_score under weighted fusion", MEMORY, "with HORNBOOK_SCORING__FUSION=weighted the floor is on the score", f"{DOCUMENTED}test_under_weighted_fusion_the_floor_is_on_the_score"),
    ("metrics.min_score_skipped", MEMORY, "a floor that no cosine can be had for is skipped, and said to be", "graph/retrieval/test_search.py::test_after_a_change_of_model_words_still_answer_until_all_is_embedded_anew"),
    ("metrics.backend_failures", MEMORY, "a failing vector search is named", "graph/retrieval/test_search.py::test_no_text_is_lost_when_the_model_fails"),
    ("user id of the config file", RECORDS, "the config file's user, made and kept where there is none", f"{OWNER}test_a_config_file_without_a_user_gets_one_and_keeps_it"),
    ("mcp_user", RECORDS, "the user where there is no config file", f"{OWNER}test_without_a_config_file_it_is_the_documented_user"),
    ("protocol 2024-11-05", RECORDS, "an initialize line of this version is answered in it", f"{STDIO}test_one_echoed_line_is_answered_in_the_callers_protocol"),
    ("stdout and stderr", RECORDS, "the protocol on stdout, the log on stderr", f"{STDIO}test_one_echoed_line_is_answered_in_the_callers_protocol"),
    ("display at the known precision", CLAIMS, "a belief shows its dates as precisely as they are known", "time-granularity-year time-granularity-month time-granularity-each-end time-open-end-not-shown"),
    ("granularity tags", CLAIMS, "a belief has the granularities of its start and end", "time-granularity-given time-granularity-each-end"),
    ("texts of deleted memories", RECORDS, "all memories of the scope are gone, with the texts that they came from", "records/test_records.py::test_deleting_all_takes_ingested_texts_along_and_counts_what_it_takes"),
    ("valid_time_confidence", CLAIMS, "needed with a valid_time, and read back in both places", f"err-vt-without-confidence {DOCUMENTED}test_the_confidence_in_the_dates_is_read_back_in_both_places"),
    ("External:UserAsserted", CLAIMS, "a provenance, whatever its case and separators", "prov-user-asserted-1 prov-user-asserted-6"),
    ("External:ExternalFirstHand", CLAIMS, "a provenance", "prov-first-hand-forms"),
    ("RecallReEntry", CLAIMS, "a provenance", "prov-recall-forms"),
    ("ModelDerived", CLAIMS, "a provenance", "prov-model-forms"),
    ("wire provenance", CLAIMS, "a provenance as an object reads back as it was written", "prov-wire-dict"),
    ("one store a user", CLAIMS, "two identities never share a file", "test_tenants.py::test_two_users_never_share_a_folder_even_where_case_is_ignored claim-other-user"),
    ("opened once", CLAIMS, "a store is opened once and shared by all calls", "test_tenants.py::test_a_user_has_one_open_memory_however_many_requests_lease_it"),
)  # fmt: skip

GAPS: tuple[Promise, ...] = (
    Promise("working directory", MEMORY, "without --db-path the memories are in the working directory", (), gap="kept apart on purpose: they are in the user's data directory, whichever folder a client starts in"),
    Promise("in memory by default", CLAIMS, "without a directory nothing outlives the process", (), gap="kept apart on purpose: :memory: has to be asked for"),
    Promise("identity required", CLAIMS, "the server does not start without an agent's id", (), gap="kept apart on purpose: there is a default user"),
)  # fmt: skip


def promises() -> Iterator[Promise]:
    """Every row."""
    for tool, (source, does, proof, fields) in TOOLS.items():
        yield Promise(tool, source, does, tuple(proof.split()))
        for name, means, default, tests in fields:
            id_ = f"{tool}{name}" if name.startswith("->") else f"{tool}.{name}"
            yield Promise(id_, source, means, tuple(tests.split()), default)
    for name, source, says, tests in OTHER:
        yield Promise(name, source, says, tuple(tests.split()))
    yield from GAPS
