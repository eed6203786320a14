"""What is refused before anything runs: names, arities, the clock, single variables, safety, types.

The checks are plain functions in a tuple; the first fault found is raised. Each looks at the whole program.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from hornbook.reasoning.builtins import FUNCTIONS, TESTS
from hornbook.reasoning.errors import (
    ArityMismatch,
    MisplacedClock,
    ReservedName,
    SafetyViolation,
    SingletonVariable,
    TypeClash,
    UnboundVariable,
    Where,
)
from hornbook.reasoning.roles import Roles, is_allen, is_test, roles
from hornbook.reasoning.syntax import (
    AGGREGATES,
    Atom,
    Call,
    Compare,
    Not,
    Now,
    Program,
    Query,
    Rule,
    Term,
    Var,
    atoms,
    variables,
)


def check(program: Program, *, singletons: bool = True) -> None:
    """Refuse a program that has no clear meaning. `singletons=False` lets a variable stand once.

    >>> from hornbook.reasoning.parse import parse_program
    >>> check(parse_program("p(x) :- q(x, y)."))
    Traceback (most recent call last):
    hornbook.reasoning.errors.SingletonVariable: singleton at line 1, column 14: the variable y is used once
    """
    for passing in CHECKS:
        passing(program)
    for rule in program.rules:
        check_variables(rule, program.text, singletons=singletons)


def check_query(query: Query) -> None:
    """Refuse a question that has no clear meaning. Here `now` may stand, and a variable may stand once."""
    check_variables(Rule(None, query.body), query.text, singletons=False)


def check_names(program: Program) -> None:
    """Heads may not take a built-in's name."""
    for rule in program.rules:
        if rule.head is not None and (
            rule.head.predicate in TESTS or rule.head.predicate in ("functional", "symmetric")
        ):
            name = rule.head.predicate
            raise ReservedName(f"{name} is built in", rule.head.where, program.text, mend="choose another name")


def check_arities(program: Program) -> None:
    """One predicate, one number of arguments."""
    seen: dict[str, tuple[int, Where]] = {}
    for rule in program.rules:
        for atom in (*([rule.head] if rule.head else []), *atoms(rule)):
            if is_test(atom) or is_allen(atom, roles(rule.body)):
                continue
            arity, where = seen.setdefault(atom.predicate, (len(atom.args), atom.where))
            if arity != len(atom.args):
                problem = f"{atom.predicate} has {len(atom.args)} arguments here and {arity} at {where}"
                raise ArityMismatch(problem, atom.where, program.text, mend="give it the same number everywhere")
    for declared in program.declarations:
        if seen.get(declared.predicate, (2, None))[0] != 2:
            problem = f"{declared.kind} is for predicates of two arguments"
            raise ArityMismatch(problem, declared.where, program.text, mend="drop the declaration")


def check_clock(program: Program) -> None:
    """A rule does not look at the clock: what follows from the facts would change without a fact changing."""
    for rule in program.rules:
        for now in clocks(rule.body if rule.head is None else (rule.head, *rule.body)):
            mend = "give the instant as a variable bound by a fact, and use now in the question"
            raise MisplacedClock("now stands in a rule", now.where, program.text, mend=mend)


def check_head_times(program: Program) -> None:
    """After the `@` of a head stands an interval that the body names."""
    for rule in program.rules:
        time = rule.head.time if rule.head else None
        if time is not None and not (isinstance(time, Var) and time.name in roles(rule.body).intervals):
            mend = "write head(x)@i :- body(x)@i."
            raise TypeClash(f"{time} in a head is no interval of the body", time.where, program.text, mend=mend)


CHECKS: tuple[Callable[[Program], None], ...] = (check_names, check_arities, check_clock, check_head_times)


def check_variables(rule: Rule, text: str, *, singletons: bool) -> None:
    """Safety and types of one rule or question."""
    found = roles(rule.body)
    check_calls(rule, text)
    check_safety(rule, found, text)
    if singletons:
        check_singletons(rule, text)
    check_types(rule, found, text)


def check_singletons(rule: Rule, text: str) -> None:
    """A variable that stands once joins nothing: it is mostly a misspelt one."""
    parts = rule.body if rule.head is None else (rule.head, *rule.body)
    used = [var for var in variables(parts) if not var.name.startswith("_")]
    counts = Counter(var.name for var in used)
    for var in used:
        if counts[var.name] == 1:
            mend = f"write _{var.name} or _ if it does not matter"
            raise SingletonVariable(f"the variable {var} is used once", var.where, text, mend=mend)


def check_safety(rule: Rule, found: Roles, text: str) -> None:
    """Every variable that is shown, denied or compared gets its value from a positive atom."""
    for var in variables(rule.head):
        if var.anonymous:
            raise SafetyViolation("_ stands in the head", var.where, text, mend="give it a value or a variable")
        _require(var, rule, found, text, "the head")
    for literal in rule.body:
        if isinstance(literal, Not):
            for var in variables(literal.atom):
                if not found.alone(var):
                    _require(var, rule, found, text, "a negated atom", under_not=True)
        elif isinstance(literal, Compare) or is_test(literal):
            for var in variables(literal):
                _require(var, rule, found, text, "a comparison")
        else:
            for arg in literal.args:
                for var in variables(arg) if isinstance(arg, Call) else ():
                    _require(var, rule, found, text, "an expression")
    for var in found.unbound_times:
        raise UnboundVariable(f"the instant {var} is not bound", var.where, text, mend=f"bind {var} in another atom")


def _require(var: Var, rule: Rule, found: Roles, text: str, place: str, *, under_not: bool = False) -> None:
    if var.name in found.bound or var.name in found.intervals:
        return
    shown = f"variable {var} in {place} is not bound by a positive body atom: {rule}"
    if under_not:
        mend = f"add a positive atom that uses {var}, or write _ for any"
        raise SafetyViolation(shown, var.where, text, mend=mend)
    mend = f"add a positive atom that uses {var}"
    if var.anonymous:
        raise SafetyViolation(shown, var.where, text, mend="give it a name that a positive atom binds")
    raise UnboundVariable(shown, var.where, text, mend=mend)


def check_calls(rule: Rule, text: str) -> None:
    """Functions are known, have their arguments, and aggregates stand in the head, alone."""
    for arg in rule.head.args if rule.head else ():
        if isinstance(arg, Call) and arg.name in AGGREGATES:
            if (
                len(arg.args) > 1
                or (arg.args and isinstance(arg.args[0], Call))
                or (not arg.args and arg.name != "count")
            ):
                raise TypeClash(f"{arg.name} takes one variable", arg.where, text, mend=f"write {arg.name}(x)")
        else:
            _known(arg, text)
    for literal in rule.body:
        for term in _terms(literal):
            _known(term, text)
        if isinstance(literal, Atom) and is_test(literal):
            _arity(literal.predicate, TESTS[literal.predicate].takes, False, literal, text)


def _known(term: Term, text: str) -> None:
    if not isinstance(term, Call):
        return
    if term.name in AGGREGATES:
        mend = "write the count in the head of a rule of its own, and use that rule here"
        raise TypeClash(f"the aggregate {term.name} stands in the head only, alone", term.where, text, mend=mend)
    if term.name not in FUNCTIONS:
        known = [name for name in FUNCTIONS if name.isalpha()]
        mend = "an atom cannot stand inside an atom; the functions are " + ", ".join(known)
        raise TypeClash(f"there is no function {term.name}", term.where, text, mend=mend, valid=known)
    function = FUNCTIONS[term.name]
    _arity(term.name, function.takes, function.variadic, term, text)
    for arg in term.args:
        _known(arg, text)


def _arity(name: str, takes: tuple[str, ...], variadic: bool, part: Call | Atom, text: str) -> None:
    if len(part.args) != len(takes) and not (variadic and part.args):
        mend = f"write {name}({', '.join(takes)})"
        raise ArityMismatch(f"{name} takes {len(takes)} arguments", part.where, text, mend=mend)


def check_types(rule: Rule, found: Roles, text: str) -> None:
    """A variable is a number, a text (dates are texts) or an interval, and stays one."""
    kinds: dict[str, str] = dict.fromkeys(found.intervals, "interval")
    for term, wanted in _wanted(rule, found):
        kind = _kind(term, kinds)
        if kind is not None and (kind == "interval" if wanted == "value" else kind != wanted):
            mend = (
                "an interval i has start(i), end(i) and duration(i)"
                if "interval" in (kind, wanted)
                else "compare like with like"
            )
            raise TypeClash(f"{term} is {_a(kind)} where {_a(wanted)} must stand", term.where, text, mend=mend)
        if isinstance(term, Var) and wanted in ("number", "text"):
            kinds[term.name] = wanted


def _wanted(rule: Rule, found: Roles) -> Iterable[tuple[Term, str]]:
    """Each term with the type that its place asks for."""
    for arg in rule.head.args if rule.head else ():
        if isinstance(arg, Call) and arg.name in AGGREGATES:
            yield from ((each, "number" if arg.name in ("sum", "avg") else "value") for each in arg.args)
        else:
            yield arg, "value"
            yield from _inside(arg)
    for literal in rule.body:
        if isinstance(literal, Compare):
            yield from _inside(literal.left)
            yield from _inside(literal.right)
            yield from _compared(literal)
            continue
        atom = literal.atom if isinstance(literal, Not) else literal
        if is_test(atom):
            yield from zip(atom.args, map(_plain, TESTS[atom.predicate].takes), strict=True)
        allen = is_allen(atom, found)
        for arg in atom.args:
            yield arg, "interval" if allen else "value"
            yield from _inside(arg)
        if isinstance(literal, Not) and isinstance(atom.time, Var):
            yield atom.time, "text"


def _compared(literal: Compare) -> Iterable[tuple[Term, str]]:
    left, right = _kind(literal.left, {}), _kind(literal.right, {})
    yield literal.left, right or "value"
    yield literal.right, left or "value"


def _inside(term: Term) -> Iterable[tuple[Term, str]]:
    if isinstance(term, Call) and term.name in FUNCTIONS:
        function = FUNCTIONS[term.name]
        takes = function.takes * len(term.args) if function.variadic else function.takes
        for arg, wanted in zip(term.args, takes, strict=True):
            yield arg, "value" if wanted == "any" else _plain(wanted)
            yield from _inside(arg)


def _plain(kind: str) -> str:
    return "text" if kind == "date" else kind


def _kind(term: Term, kinds: dict[str, str]) -> str | None:
    """The type a term surely has, None if it may have any."""
    if isinstance(term, Var):
        return kinds.get(term.name)
    if isinstance(term, Call):
        return _plain(FUNCTIONS[term.name].gives) if term.name in FUNCTIONS else None
    if isinstance(term, Now):
        return "text"
    if isinstance(term.value, bool) or term.value is None:
        return "truth"
    return "text" if isinstance(term.value, str) else "number"


def _a(kind: str) -> str:
    return {"interval": "an interval", "value": "a value"}.get(kind, f"a {kind}")


def _terms(literal: Atom | Not | Compare) -> tuple[Term, ...]:
    if isinstance(literal, Compare):
        return (literal.left, literal.right)
    return literal.atom.args if isinstance(literal, Not) else literal.args


def clocks(part: object) -> Iterable[Now]:
    """Every `now` of a part."""
    if isinstance(part, Now):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from clocks(each)
    elif isinstance(part, Not):
        yield from clocks(part.atom)
    elif isinstance(part, Atom):
        yield from clocks((*part.args, part.time))
    elif isinstance(part, Compare):
        yield from clocks((part.left, part.right))
    elif isinstance(part, Call):
        yield from clocks(part.args)
