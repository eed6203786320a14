"""The fast evaluator against the obvious one, over random stratified programs and facts with random times."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.compiled import Compiled, compile
from hornbook.reasoning.evaluate import Result, evaluate
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.maintain import update
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.proof import Proof
from hornbook.reasoning.prove import why
from hornbook.reasoning.relation import Fact
from hornbook.reasoning.syntax import Atom, Call, Compare, Const, Not, Var
from hornbook.reasoning.terms import holds, key_of

RELATIONS = ("edge", "likes", "score")
LAYERS = ("p0", "p1", "p2", "p3")
VARIABLES = ("x", "y", "z")
few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))

Facts = dict[str, list[Fact]]


@st.composite
def atoms(draw: st.DrawFn, predicates: tuple[str, ...], names: tuple[str, ...] = VARIABLES) -> str:
    """A positive atom over some predicates."""
    term = st.one_of(st.sampled_from(names), st.sampled_from(names), st.sampled_from(('"a"', "2", "_")))
    return f"{draw(st.sampled_from(predicates))}({draw(term)}, {draw(term)})"


@st.composite
def rules(draw: st.DrawFn, level: int, temporal: bool) -> str:
    """A safe rule for a layer: it reads its own layer positively, lower ones in every way."""
    lower = RELATIONS + LAYERS[:level]
    kind = draw(
        st.sampled_from(("plain", "plain", "plain", "negated", "aggregated", "computed", "interval", "instant"))
    )
    kind = "plain" if kind in ("interval", "instant") and not temporal else kind
    readable = lower + LAYERS[level : level + 1] * (kind in ("plain", "negated")) * 2
    body = draw(st.lists(atoms(readable), min_size=1, max_size=3))
    bound = sorted({name for name in VARIABLES if any(f"({name}," in each or f" {name})" in each for each in body)})
    if not bound:
        body.append(f"{lower[0]}(x, y)")
        bound = ["x", "y"]
    name = st.sampled_from(bound)
    head = f"{LAYERS[level]}({draw(name)}, {draw(name)})"
    if kind == "negated":
        body.append("not " + draw(atoms(lower, (*bound, "_"))))
    elif kind == "aggregated":
        made = draw(st.sampled_from(("count", "min", "max", "sum", "avg")))
        head = f"{LAYERS[level]}({draw(name)}, {made}({draw(name)}))"
    elif kind == "computed":
        head = f"{LAYERS[level]}({draw(name)}, n)"
        body.append(f"n = {draw(name)} {draw(st.sampled_from('+-*/'))} {draw(st.sampled_from(('1', draw(name))))}")
    elif kind == "interval":
        body[0] += "@i"
        body.append(f"{draw(atoms(lower, tuple(bound)))}@j")
        body.append(draw(st.sampled_from(("before(i, j)", "meets(i, j)", "intersects(i, j)", "not during(i, j)"))))
    elif kind == "instant":
        body[-1] += draw(st.sampled_from(("@1970", "@_")))
    if draw(st.booleans()):
        body.append(f"{draw(name)} {draw(st.sampled_from(('!=', '<', '>=', '=')))} {draw(name)}")
    return f"{head} :- {', '.join(body)}."


@st.composite
def programs(draw: st.DrawFn, temporal: bool = True) -> str:
    """A stratified program of up to four layers."""
    layers = draw(st.integers(1, len(LAYERS)))
    text = [draw(rules(level, temporal)) for level in range(layers) for _ in range(draw(st.integers(1, 3)))]
    text += [f"{LAYERS[level]}(x, y) :- edge(x, y)." for level in range(layers) if draw(st.booleans())]
    text += draw(st.lists(st.sampled_from(("functional(p0).", "symmetric(likes).")), max_size=1))
    text += draw(st.lists(st.sampled_from((":- edge(x, y), not likes(y, x).",)), max_size=1))
    return "\n".join(text)


def compiled(text: str) -> Compiled:
    """A random program made ready: its variables may stand once."""
    return compile(parse_program(text), singletons=False)


ends = st.one_of(
    st.just((ALWAYS, FOREVER)), st.tuples(st.integers(-3, 6), st.integers(1, 5)).map(lambda e: (e[0], e[0] + e[1]))
)
terms = st.sampled_from(("a", "b", "c", 1, 2))
timeless = st.just((ALWAYS, FOREVER))


@st.composite
def facts(draw: st.DrawFn, times: st.SearchStrategy[tuple[int, int]] = ends, doubt: bool = True) -> Facts:
    """A few facts of each relation, and of a layer too: what rules derive may also be asserted."""
    found: Facts = {name: [] for name in (*RELATIONS, "p0")}
    for number in range(draw(st.integers(1, 12))):
        name = draw(st.sampled_from((*RELATIONS, *RELATIONS, "p0")))
        uncertain = doubt and draw(st.integers(0, 4)) == 0
        found[name].append(Fact((draw(terms), draw(terms)), f"f{number}", *draw(times), uncertain=uncertain))
    return found


def shown(result: Result) -> dict[str, set[tuple[tuple[str, ...], int, int, bool]]]:
    """Everything that holds, coalesced."""
    names = sorted(result.arities) + [plan.head for plan in result.compiled.plans if plan.head.startswith("!")]
    rows = {name: result.shown(name, result.base.all(name)) for name in names}
    return {name: {(row.keys, row.start, row.end, row.uncertain) for row in each} for name, each in rows.items()}


@few
@given(programs(), facts())
def test_the_fast_evaluator_gives_what_the_obvious_one_gives(text: str, given: Facts) -> None:
    program = compiled(text)
    expected = shown(evaluate(program, given, backend="naive"))

    assert expected == shown(evaluate(program, given))
    assert expected == shown(evaluate(program, given, proofs=False))


@few
@given(programs(temporal=False), facts(), st.integers(-4, 12))
def test_a_result_sliced_at_an_instant_is_the_result_of_the_facts_sliced_there(
    text: str, given: Facts, at: int
) -> None:
    program = compiled(text)
    inside = {name: [each for each in rows if each.valid_from <= at < each.valid_to] for name, rows in given.items()}
    sliced = {
        name: [replace(each, valid_from=ALWAYS, valid_to=FOREVER) for each in rows] for name, rows in inside.items()
    }
    expected = shown(evaluate(program, sliced, backend="naive"))

    found = shown(evaluate(program, given))
    at_instant = {
        name: {(keys, ALWAYS, FOREVER, doubt) for keys, start, end, doubt in rows if start <= at < end}
        for name, rows in found.items()
    }
    assert expected == at_instant


@few
@given(programs(temporal=False), facts(timeless, doubt=False))
def test_every_proof_is_accepted_by_an_independent_checker(text: str, given: Facts) -> None:
    program = compiled(text)
    for result in (evaluate(program, given), evaluate(program, given, proofs=False)):
        everything = {name: {row.keys for row in result.relation(name)} for name in result.arities}
        for name in program.heads:
            for row in result.relation(name)[:6]:
                explanation = why(result, row, 60, proofs=3)
                assert explanation.holds
                for proof in explanation.proofs:
                    check(proof, given, everything, ())


@few
@given(programs(), facts())
def test_every_proof_over_time_covers_its_piece(text: str, given: Facts) -> None:
    program = compiled(text)
    result = evaluate(program, given)
    for name in program.heads:
        for row in result.relation(name)[:6]:
            for proof in why(result, row, 60).proofs:
                check_time(proof, given)


def check(proof: Proof, given: Facts, everything: dict[str, set[tuple[str, ...]]], above: tuple[object, ...]) -> None:
    """Thirty lines that believe nothing: claims are facts, rules fit their premises, nothing rests on itself."""
    assert not proof.partial
    if proof.kind == "claim":
        assert any(each.id == proof.claim and each.key == proof.keys for each in given[proof.predicate])
        return
    assert (proof.predicate, proof.keys) not in above
    for child in proof.children:
        if child.kind != "absent":
            check(child, given, everything, (*above, (proof.predicate, proof.keys)))
    assert proof.rule is not None
    (rule,) = parse_program(proof.rule).rules
    if proof.kind == "aggregate" or rule.head is None:
        return
    env: dict[str, str] = {}
    premises = iter(proof.children)
    for literal in rule.body:
        if isinstance(literal, Atom):
            child = next(premises)
            assert child.predicate == literal.predicate
            assert all(fits(arg, key, env) for arg, key in zip(literal.args, child.keys, strict=True) if key)
    for literal in rule.body:
        if isinstance(literal, Not):
            matching = [
                keys
                for keys in everything[literal.atom.predicate]
                if all(fits(arg, key, dict(env)) for arg, key in zip(literal.atom.args, keys, strict=True))
            ]
            assert not matching
        elif isinstance(literal, Compare) and not any(isinstance(side, Call) for side in (literal.left, literal.right)):
            left, right = (
                env[s.name] if isinstance(s, Var) else key_of(s.value)
                for s in (literal.left, literal.right)
                if isinstance(s, Var | Const)
            )
            assert holds(literal.op, left, right)
    computed = {
        side.name for each in rule.body if isinstance(each, Compare) for side in (each.left,) if isinstance(side, Var)
    }
    for arg, key in zip(rule.head.args, proof.keys, strict=True):
        assert (isinstance(arg, Var) and arg.name in computed - env.keys()) or fits(arg, str(key), env)


def fits(arg: object, key: str | None, env: dict[str, str]) -> bool:
    """Whether an argument can be a key, given what the variables are."""
    if isinstance(arg, Const):
        return key_of(arg.value) == key
    return isinstance(arg, Var) and (arg.anonymous or env.setdefault(arg.name, str(key)) == key)


def check_time(proof: Proof, given: Facts) -> None:
    """Claims hold when they are said to; a conclusion's piece lies inside those of the premises that restrict it."""
    assert not proof.partial
    if proof.kind == "claim":
        (fact,) = (each for each in given[proof.predicate] if each.id == proof.claim)
        assert (fact.valid_from, fact.valid_to, fact.uncertain) == (proof.start, proof.end, proof.uncertain)
    elif proof.kind in ("rule", "aggregate") and proof.rule is not None and "@" not in proof.rule:
        for child in proof.children:
            assert child.kind == "absent" or (child.start <= proof.start and proof.end <= child.end)
            assert proof.uncertain or not child.uncertain or proof.kind == "aggregate"
    for child in proof.children:
        if child.kind != "absent":
            check_time(child, given)


@few
@given(programs(temporal=False), facts(timeless, doubt=False))
def test_clingo_agrees_on_plain_programs(text: str, given: Facts) -> None:
    program = compiled(text)
    rules = [rule for rule in program.program.rules if rule.head is not None]
    plain = not any(plan.makes for plan in program.plans) and not program.program.declarations
    comparing = any(isinstance(each, Compare) and each.op in ("<", ">=") for rule in rules for each in rule.body)
    if not plain or comparing:  # clingo orders numbers before texts, and has no functional heads
        return
    result = evaluate(program, given)
    expected = {(name, row.keys) for name in program.heads for row in result.relation(name)}
    facts_text = [f"{name}({', '.join(each.key)})." for name, rows in given.items() for each in rows]
    assert expected == stable(facts_text + [str(rule) for rule in rules], program.heads)


def stable(program: list[str], heads: frozenset[str]) -> set[tuple[str, tuple[str, ...]]]:
    """The one stable model of a stratified program, by clingo: its variables are written in capitals."""
    clingo = pytest.importorskip("clingo")
    text = "\n".join(program)
    for name in VARIABLES:
        for left in "( ":
            for right in ",) .":
                text = text.replace(f"{left}{name}{right}", f"{left}{name.upper()}{right}")
    control = clingo.Control(["--warn=none"], logger=lambda *_: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[set[tuple[str, tuple[str, ...]]]] = []
    control.solve(
        on_model=lambda model: found.append({(a.name, tuple(map(str, a.arguments))) for a in model.symbols(atoms=True)})
    )
    return {(name, keys) for name, keys in found[0] if name in heads}


edits = st.lists(st.tuples(st.booleans(), facts()), min_size=1, max_size=4)


@few
@given(programs(), facts(), edits, st.randoms(use_true_random=False), st.sampled_from((0, 60)), st.booleans())
def test_a_history_of_edits_ends_where_evaluation_from_nothing_ends(
    text: str, given: Facts, history: list[tuple[bool, Facts]], random: Random, deep: int, proofs: bool
) -> None:
    program = compiled(text)
    result = evaluate(program, given, limits=Limits(deep=deep), proofs=proofs)
    for number, (adding, more) in enumerate(history):
        if adding:
            added = {name: [replace(each, id=f"{number}{each.id}") for each in rows] for name, rows in more.items()}
            given = {name: [*given[name], *added[name]] for name in given}
            result = update(result, added=added)
        else:
            known = [each.id for rows in given.values() for each in rows]
            dead = set(random.sample(known, min(len(known), 2)))
            given = {name: [each for each in rows if each.id not in dead] for name, rows in given.items()}
            result = update(result, removed=dead)
        assert shown(evaluate(program, given, backend="naive")) == shown(result)
