"""The order of evaluation: which predicates must be complete before which.

A stratum is a set of predicates that depend on each other, and their rules. A dependency through absence, an
aggregate or a whole interval may not lie inside one: such a program has no one meaning, and the cycle is printed.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hornbook.reasoning.errors import CyclicNegation
from hornbook.reasoning.plan import Goal, Plan, reads


@dataclass(frozen=True, slots=True)
class Stratum:
    """Predicates that are derived together, and the plans that derive them."""

    predicates: frozenset[str]
    plans: tuple[Plan, ...]

    @property
    def recursive(self) -> bool:
        """Whether a plan reads what the stratum derives."""
        return any(goal.predicate in self.predicates for plan in self.plans for goal in plan.goals)


def stratify(plans: Sequence[Plan], text: str = "") -> tuple[Stratum, ...]:
    """The strata, lowest first; denials, which feed nothing, come last.

    >>> from hornbook.reasoning.compiled import compile
    >>> from hornbook.reasoning.parse import parse_program
    >>> strata = compile(parse_program("a(x) :- b(x), not c(x). c(x) :- d(x).")).strata
    >>> [sorted(stratum.predicates) for stratum in strata]
    [['c'], ['a']]
    """
    graph: dict[str, dict[str, tuple[Plan, Goal, bool]]] = {plan.head: {} for plan in plans}
    for plan in plans:
        for goal, strict in reads(plan):
            known = graph[plan.head].get(goal.predicate)
            if goal.predicate in graph and (known is None or (strict and not known[2])):
                graph[plan.head][goal.predicate] = (plan, goal, strict)
    groups = components(graph)
    for group in groups:
        _refuse_cycle(group, graph, text)
    ordered = sorted(groups, key=lambda group: any(name.startswith("!") for name in group))
    return tuple(Stratum(group, tuple(plan for plan in plans if plan.head in group)) for group in ordered)


def components(graph: Mapping[str, Iterable[str]]) -> list[frozenset[str]]:
    """Strongly connected components, each after those it reads (Tarjan, without recursion).

    >>> [sorted(group) for group in components({"a": ["b"], "b": ["a", "c"], "c": []})]
    [['c'], ['a', 'b']]
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    found: list[frozenset[str]] = []
    for root in graph:
        walk = [(root, iter(graph[root]))] if root not in index else []
        while walk:
            node, children = walk[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                waiting.add(node)
            child = next(children, None)
            if child is None:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_popped(stack, node))
                    waiting -= found[-1]
            elif child not in index:
                walk.append((child, iter(graph[child])))
            elif child in waiting:
                low[node] = min(low[node], index[child])
    return found


def _popped(stack: list[str], root: str) -> frozenset[str]:
    place = stack.index(root)
    group = frozenset(stack[place:])
    del stack[place:]
    return group


def _refuse_cycle(group: frozenset[str], graph: Mapping[str, Mapping[str, tuple[Plan, Goal, bool]]], text: str) -> None:
    for head in sorted(group):
        for read, (plan, goal, strict) in graph[head].items():
            if strict and read in group:
                back = _path(read, head, group, graph)
                through = _through(plan, goal)
                cycle = [head, f"{through} {read}", *back[1:]]
                where = goal.atom.where if goal.atom else plan.where
                problem = f"rules are not stratifiable: {head} depends on {through} {head}: {' -> '.join(cycle)}"
                mend = f"{head} must be complete before it is looked at so: give one step of the cycle another name"
                raise CyclicNegation(problem, where, text, cycle=cycle, mend=mend)


def _through(plan: Plan, goal: Goal) -> str:
    if goal in plan.absent:
        return "not"
    return "an aggregate of" if plan.aggregated else "the intervals of"


def _path(start: str, goal: str, group: frozenset[str], graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The shortest way from one predicate of a group to another."""
    came: dict[str, str] = {start: start}
    queue = deque([start])
    while queue and goal not in came:
        node = queue.popleft()
        for child in graph[node]:
            if child in group and child not in came:
                came[child] = node
                queue.append(child)
    path = [goal]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path[::-1]
