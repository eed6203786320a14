"""Rules over a memory: what follows, what goes, what is refused, and why."""

from collections.abc import Iterator

import pytest

from hornbook.extraction.candidate import Extraction, Mention
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.errors import NotFound
from hornbook.graph.retrieval.static import StaticEmbedder
from hornbook.memory import Memory
from hornbook.reasoning.errors import (
    ArityMismatch,
    BareEntity,
    CyclicNegation,
    Divergent,
    Located,
    ReservedName,
    UnboundVariable,
    UnknownPredicate,
)

COUNTRY = "lives_in_country(x, c) :- lives_in(x, y), located_in(y, c)."


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Ana lives in Munich since 2020, which is in Germany."""
    with Memory.open(":memory:", user="ana") as opened:
        opened.claim("Ana", "lives_in", "Munich", valid_from="2020", evidence="I live in Munich", speaker="Ana")
        opened.claim("Munich", "located_in", "Germany", valid_from="1900")
        yield opened


def test_a_conclusion_holds_while_all_its_premises_do(memory: Memory) -> None:
    added = memory.rules(COUNTRY)

    assert (1, 0, ()) == (added.derived, added.withdrawn, added.warnings)
    assert (("Ana", "Germany"),) == memory.ask("lives_in_country(x, c)").rows
    assert () == memory.ask("lives_in_country(x, c)", valid_at="2019").rows
    memory.end("Ana", "lives_in", "2024-01-01")
    assert () == memory.ask("lives_in_country(x, c)").rows
    assert (("Ana", "Germany"),) == memory.ask("lives_in_country(x, c)", valid_at="2023").rows


def test_the_leaves_of_a_proof_are_claims_with_their_evidence(memory: Memory) -> None:
    memory.rules(COUNTRY)
    found = memory.why('lives_in_country("Ana", "Germany")')

    lives, located = found.proofs[0].children
    assert {"claim"} == {lives.kind, located.kind}
    assert "I live in Munich" == found.as_dict()["claims"][lives.claim]["evidence"]
    assert memory.claim_at(lives.claim or "").held.value == "Munich"
    assert "“I live in Munich” (Ana)" in found.text()


def test_why_takes_the_reference_of_what_was_derived_and_of_a_claim(memory: Memory) -> None:
    memory.rules(COUNTRY)
    slot = memory.believe("Ana", "lives_in_country").primary
    proof = memory.why(slot.claim_ref)

    assert 'lives_in_country("Ana", "Germany")' == proof.proofs[0].statement
    ref = proof.proofs[0].children[0].claim
    assert [ref] == list(memory.why(ref or "").claims)
    with pytest.raises(NotFound):
        memory.why("01890000-0000-7000-8000-00000000abcd")


def test_what_does_not_hold_is_told_by_the_rule_that_came_nearest(memory: Memory) -> None:
    memory.rules(COUNTRY)
    found = memory.why('lives_in_country("Ana", "France")')

    assert not found.holds
    assert 'located_in("Munich", "France"): nothing says so' in found.text()


def test_what_is_contested_is_no_premise_until_it_is_settled(memory: Memory) -> None:
    memory.rules(COUNTRY)
    other = memory.claim("Ana", "lives_in", "Oslo", valid_from="2020", speaker="Ben")
    assert "Contested" == other.disposition.value
    assert () == memory.ask("lives_in_country(x, c)").rows

    memory.resolve("Ana", "lives_in", "winner", winner="Munich", reason="she said so herself")
    assert (("Ana", "Germany"),) == memory.ask("lives_in_country(x, c)").rows


def test_a_derived_claim_is_believed_where_nobody_said_otherwise(memory: Memory) -> None:
    memory.rules(COUNTRY)
    belief = memory.believe("Ana", "lives_in_country")
    shown = belief.as_dict()["primary"]
    assert ("Resolved", "Germany", True, COUNTRY) == (belief.status, belief.value, shown["derived"], shown["rule"])
    assert "lives_in_country" in [one.predicate for one in memory.believe("Ana")]

    memory.claim("Ana", "lives_in_country", "Austria", valid_from="2020")
    told = memory.believe("Ana", "lives_in_country")
    assert ("Resolved", "Austria", ["Germany"]) == (told.status, told.value, [one.value for one in told.alternatives])


def test_what_somebody_said_takes_the_overlapping_part_of_a_functional_conclusion_away(memory: Memory) -> None:
    memory.rules("functional(home_country). home_country(x, c) :- lives_in(x, y), located_in(y, c).")
    claim = memory.claim("Ana", "home_country", "Austria", valid_from="2023", valid_time_confidence=0.9)
    assert (("Austria",),) == memory.ask('home_country("Ana", c)').rows
    assert (("Germany",),) == memory.ask('home_country("Ana", c)', valid_at="2021").rows

    memory.end("Ana", "home_country", "2024")
    assert (("Germany",),) == memory.ask('home_country("Ana", c)').rows
    assert claim.claim_ref == memory.believe("Ana", "home_country", valid_at="2023-06").primary.claim_ref


def test_a_broken_denial_is_listed_and_read_as_contested_and_goes_with_its_cause(memory: Memory) -> None:
    added = memory.rules(":- born_on(x, d), died_on(x, e), e < d.")
    memory.claim("Zoe", "born_on", "1990")
    wrong = memory.claim("Zoe", "died_on", "1980")
    mark = f"Denied({added.rules[0].rule_id})"

    belief = memory.believe("Zoe", "died_on")
    assert ("Contested", None, True) == (belief.status, belief.value, mark in belief.markers)
    lines = memory.contested().as_dict()["lines"]
    assert [("Zoe", "born_on"), ("Zoe", "died_on")] == [(one["subject"], one["predicate"]) for one in lines]
    assert wrong.claim_ref == lines[1]["sides"][0]["claim_ref"]
    assert "CommittedCheap" == memory.claim_at(wrong.claim_ref).held.state.disposition.value

    memory.remove_rule(added.rules[0].rule_id)
    assert ("1980", ()) == (memory.believe("Zoe", "died_on").value, memory.contested().lines)


def test_denied_lines_come_in_pages(memory: Memory) -> None:
    memory.rules(":- born_on(x, d), died_on(x, e), e < d.")
    for name in ("Ada", "Bo"):
        memory.claim(name, "born_on", "1990")
        memory.claim(name, "died_on", "1980")
    first = memory.contested(limit=3)
    rest = memory.contested(limit=3, cursor=first.next_cursor)

    assert (3, 1, None) == (len(first.lines), len(rest.lines), rest.next_cursor)


def test_as_of_then_it_is_the_rules_and_the_facts_of_then(memory: Memory) -> None:
    before = memory.believe("Ana", "lives_in").as_known
    added = memory.rules(COUNTRY)
    ruled = memory.ask("lives_in_country(x, c)").as_known
    memory.claim("Ana", "lives_in", "Paris", valid_from="2022", intent="update")
    memory.claim("Paris", "located_in", "France", valid_from="1900")
    memory.remove_rule(added.rules[0].rule_id)

    assert () == memory.list_rules()
    assert [COUNTRY] == [rule.text for rule in memory.list_rules(knowledge_at=ruled)]
    assert (("Ana", "Germany"),) == memory.ask("lives_in_country(x, c)", knowledge_at=ruled).rows
    assert "Germany" == memory.believe("Ana", "lives_in_country", knowledge_at=ruled).value
    with pytest.raises(UnknownPredicate):
        memory.ask("lives_in_country(x, c)", knowledge_at=before)
    with pytest.raises(UnknownPredicate):
        memory.ask("lives_in_country(x, c)")


def test_a_dry_run_writes_nothing(memory: Memory) -> None:
    events = memory.stats()["events"]

    assert 1 == memory.rules(COUNTRY, dry_run=True).derived
    assert (events, ()) == (memory.stats()["events"], memory.list_rules())


def test_adding_the_same_rule_again_changes_nothing(memory: Memory) -> None:
    first = memory.rules(COUNTRY)
    events = memory.stats()["events"]
    again = memory.rules("lives_in_country( x,c ):-lives_in(x,y),located_in(y,c). % laid out otherwise")

    assert (first.rules, 0, events) == (again.rules, 0, memory.stats()["events"])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("p(x, z) :- lives_in(x, y), y = y.", UnboundVariable),
        ("p(x) :- lives_in(x, _), not q(x). q(x) :- p(x).", CyclicNegation),
        ("p(x) :- lives_in(x).", ArityMismatch),
        ("claim(x, x, x, x, x, x, x, x) :- lives_in(x, _).", ReservedName),
    ],
)
def test_nothing_of_a_faulty_program_is_added(memory: Memory, text: str, fault: type[Located]) -> None:
    events = memory.stats()["events"]
    with pytest.raises(fault) as refused:
        memory.rules(f"{COUNTRY}\n{text}")

    found = refused.value.as_dict()
    assert ("text", 2) == (found["field"], found["rule"]["line"]) and "^" in found["rule"]["caret"]
    assert (events, ()) == (memory.stats()["events"], memory.list_rules())


def test_a_rule_that_does_not_go_with_those_in_force_is_refused_at_its_own_place(memory: Memory) -> None:
    memory.rules("settled(x) :- lives_in(x, _), not restless(x).")
    with pytest.raises(CyclicNegation) as refused:
        memory.rules("restless(x) :- settled(x).")

    assert "settled -> not restless -> settled" in refused.value.message
    assert 1 == len(memory.list_rules())


def test_a_predicate_that_nobody_spoke_of_is_a_warning_in_a_rule_and_an_error_in_a_question(memory: Memory) -> None:
    (warning,) = memory.rules("abroad(x) :- livs_in(x, _).").warnings

    assert ("unknown_predicate", 1) == (warning["code"], warning["line"]) and "lives_in" in warning["message"]
    with pytest.raises(UnknownPredicate) as refused:
        memory.ask("locatd_in(x, y)")
    assert ("not_found", "located_in") == (refused.value.code, (refused.value.valid or ("",))[0])


def test_a_bare_word_that_names_an_entity_wants_quotes(memory: Memory) -> None:
    with pytest.raises(BareEntity) as refused:
        memory.ask("lives_in(Ana, x)")

    assert 'write "Ana"' in (refused.value.hint or "")


def test_other_names_of_predicates_and_entities_mean_the_same(memory: Memory) -> None:
    memory.claim("Ana", "works_for", "Acme", valid_from="2020")
    memory.alias("Acme", "ACME Inc.")
    memory.rules('colleague(x) :- works_at(x, "acme inc.").')

    assert (("Ana",),) == memory.ask("colleague(x)").rows
    assert (("Ana",),) == memory.ask('employed_by(x, "Acme Inc.")').rows


def test_a_symmetric_claim_is_read_from_both_ends(memory: Memory) -> None:
    memory.claim("Ana", "married_to", "Ben", valid_from="2015")

    assert (("Ana",),) == memory.ask('married_to("Ben", x)').rows
    assert (("Ben",),) == memory.ask('married_to("Ana", x)').rows


def test_what_is_derived_is_read_from_the_other_end_too(memory: Memory) -> None:
    memory.claim("Ana", "cares_for", "Ben", valid_from="2015")
    memory.claim("Ada", "parent_of", "Bo", valid_from="2015")
    memory.rules("parent_of(x, y) :- cares_for(x, y).")

    assert {("Ben", "Ana"), ("Bo", "Ada")} == set(memory.ask("child_of(x, y)").rows)
    assert "Ana" == memory.believe("Ben", "child_of").value
    assert ["Ada"] == [slot.value for slot in memory.believe("Bo", "child_of").belief.slots]
    assert "cares_for" in memory.why('child_of("Ben", "Ana")').text()
    memory.end("Ana", "cares_for", "2020-01-01")
    assert (("Bo", "Ada"),) == memory.ask("child_of(x, y)").rows


def test_the_memory_itself_is_there_as_relations(memory: Memory) -> None:
    rival = memory.claim("Ana", "lives_in", "Oslo", valid_from="2020", speaker="Ben").claim_ref
    memory.alias("Munich", "Minga")

    assert (("Minga", "Munich"),) == memory.ask("alias(x, y)").rows
    rows = memory.ask('claim(i, "Ana", p, v, n, f, u, w)').rows
    assert {("lives_in", "Munich", "2020"), ("lives_in", "Oslo", "2020")} == {(row[1], row[2], row[4]) for row in rows}
    assert 2 == len(memory.ask("contested(x, y)").rows)
    assert (("Oslo",),) == memory.ask(f'claim("{rival}", _s, _p, v, _n, _f, _u, _w)').rows
    assert {"Ana", "Munich"} <= {row[0] for row in memory.ask("entity(_i, x, _t)").rows}


def test_answers_come_in_pages_of_what_was_known_at_first(memory: Memory) -> None:
    for name in ("Bo", "Cyn", "Dee"):
        memory.claim(name, "lives_in", "Rome", valid_from="2020")
    first = memory.ask("lives_in(x, y)", limit=2)
    memory.claim("Aaron", "lives_in", "Rome", valid_from="2020")
    second = memory.ask("lives_in(x, y)", limit=2, cursor=first.next_cursor)

    assert ["Ana", "Bo", "Cyn", "Dee"] == [row[0] for row in (*first.rows, *second.rows)]
    assert (True, False, None) == (first.truncated, second.truncated, second.next_cursor)


def test_packs_are_added_by_name_and_go_together(memory: Memory) -> None:
    for pack in ("kinship", "preferences"):
        memory.rules(pack=pack)
    memory.claim("Ana", "parent_of", "Tim")
    memory.claim("Tim", "parent_of", "Leo")

    assert (("Leo",),) == memory.ask('grandparent_of("Ana", x)').rows
    assert "kinship" in {rule.pack for rule in memory.list_rules()}
    with pytest.raises(NotFound):
        memory.rules(pack="kinships")


def test_what_a_model_concluded_is_no_premise_beside_somebodys_word(memory: Memory) -> None:
    memory.rules(COUNTRY)
    memory.claim("Ana", "lives_in", "Oslo", provenance="ModelDerived", valid_from="2020")
    memory.claim("Oslo", "located_in", "Norway", valid_from="1900")

    assert (("Germany",),) == memory.ask('lives_in_country("Ana", c)').rows


def test_a_claim_that_rests_on_a_derived_one_keeps_its_proof_and_is_flagged_when_a_premise_falls(
    memory: Memory,
) -> None:
    added = memory.rules(COUNTRY)
    derived = memory.believe("Ana", "lives_in_country").primary
    rests = memory.claim("Ana", "pays_tax_in", "Germany", derived_from=[derived.claim_ref])
    told = memory.claim_at(rests.claim_ref).as_dict()
    (proof,) = told["pinned_proofs"][derived.claim_ref]

    assert 'lives_in_country("Ana", "Germany")' == proof["statement"]
    assert [one["claim_ref"] for one in proof["premises"]] == told["derived_from"]
    memory.remove_rule(added.rules[0].rule_id)
    assert told["pinned_proofs"] == memory.claim_at(rests.claim_ref).as_dict()["pinned_proofs"]
    memory.end("Ana", "lives_in", "2024-01-01")
    assert "PendingReview" in memory.believe("Ana", "pays_tax_in").markers
    with pytest.raises(NotFound) as refused:
        memory.claim("Ana", "votes_in", "Germany", derived_from=[derived.claim_ref])
    assert "derived_from" == (refused.value.field or "").partition(".")[0]


def test_the_ledger_tells_of_rules(memory: Memory) -> None:
    (rule,) = memory.rules(COUNTRY).rules
    memory.remove_rule(rule.rule_id)
    removed, added = (entry.as_dict() for entry in memory.audit(limit=2).entries)

    assert ("RulesAdded", [rule.rule_id]) == (added["event_kind"], added["rules"])
    assert ("RuleRemoved", [rule.rule_id]) == (removed["event_kind"], removed["rules"])


def test_a_rule_that_does_not_end_hides_nothing_that_was_said(memory: Memory) -> None:
    memory.rules("later(x, n + 1) :- counts_from(x, n).\nlater(x, n + 1) :- later(x, n).")
    memory.claim("Ana", "counts_from", 1, valid_from="2020")

    with pytest.raises(Divergent):
        memory.ask("later(x, n)")
    belief = memory.believe("Ana", "lives_in")
    assert ("Munich", True) == (belief.value, "RulesNotApplied" in belief.markers)
    assert () == memory.contested().lines
    for rule in memory.list_rules():
        memory.remove_rule(rule.rule_id)
    assert "RulesNotApplied" not in memory.believe("Ana", "lives_in").markers


def test_what_nothing_speaks_of_any_more_has_no_alias_and_is_mentioned_nowhere() -> None:
    text = "Bob moved to Oslo."
    found = Extraction((Mention("Robert Lind", "person", 0, 3, ("Bob",)), Mention("Oslo", "place", 13, 17)))
    extractor = ScriptedExtractor({text: found})
    with Memory.open(":memory:", user="ana", extractor=extractor, embedder=StaticEmbedder()) as memory:
        memory.ingest(text, session="s1")
        memory.claim("Oslo", "located_in", "Norway", valid_from="1900")
        memory.alias("Oslo", "Christiania")
        assert {"Bob", "Christiania"} <= {row[0] for row in memory.ask("alias(x, _y)").rows}
        assert {("Robert Lind",), ("Oslo",)} == set(memory.ask("mentions(_t, x)").rows)

        memory.forget(session="s1")

        assert {"Christiania"} == {row[0] for row in memory.ask("alias(x, _y)").rows}
        assert () == memory.ask("mentions(_t, x)").rows == memory.ask("episode(t, _s, _o, _n)").rows
