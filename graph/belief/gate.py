"""The gate: what becomes of a new claim. One table, row by row; the first row that fits decides."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from hornbook.graph.belief.case import Case, case_of, joins, markers_of
from hornbook.graph.belief.closing import Succession, implied_succession, told_update
from hornbook.graph.belief.dependencies import born_flagged
from hornbook.graph.belief.dispute import after, merged_changes, settle, told
from hornbook.graph.belief.line import Context, Decision, Line
from hornbook.graph.belief.rivalry import Key
from hornbook.graph.belief.rivals import NAMED, stand_against
from hornbook.graph.belief.state import Change, ClaimState, Held, Ledger, Marker
from hornbook.graph.claim import Cardinality, Claim, Disposition, Intent, Provenance
from hornbook.graph.dates import spoken_date

Row = Callable[[Case], Decision | None]

D = Disposition


def decide(claim: Claim, line: Line, context: Context) -> Decision:
    """What becomes of a claim on one line, with everything that changes because of it."""
    case = case_of(claim, line, context)
    decision = next(found for row in ROWS if (found := row(case)) is not None)
    return _noted(case, _settled(case, decision))


def decide_lines(claim: Claim, lines: Sequence[Line], context: Context) -> Decision:
    """What becomes of a claim that stands on two lines: of a symmetric predicate, or of one with an inverse.

    The stricter answer counts: a repetition, then a contest, then whatever closes something, then the rest.
    """
    decisions = [decide(claim, line, context) for line in lines]
    worst = min(decisions, key=_leniency)
    agreed = [one for one in decisions if _leniency(one) == _leniency(worst) or worst.state is not None]
    if _leniency(worst) < CLOSING:
        agreed = [one for one in agreed if _leniency(one) == _leniency(worst)]
    return replace(
        worst,
        contested_with=_union(one.contested_with for one in agreed),
        compared_with=_union(one.compared_with for one in decisions),
        changes=tuple({change.claim_id: change for one in agreed for change in one.changes}.values()),
        notes=_union(one.notes for one in decisions),
        declares=next((one.declares for one in decisions if one.declares), None),
        state=_with_rivals(worst.state, _union(one.state.rivals for one in agreed if one.state)[:NAMED]),
    )


def quarantined(case: Case) -> Decision | None:
    """Row 1: a trusted interval that ends before it starts is kept and auditable, and never believed."""
    valid = case.claim.valid
    if not (valid.trusted and valid.backwards):
        return None
    reason = f"it ends ({valid.end}) before it starts ({valid.start})"
    return _kept(case, 1, D.QUARANTINED, reason, live=False, ledger=Ledger.QUARANTINED)


def repeated(case: Case) -> Decision | None:
    """Row 2: a model or a recall that says what the line holds or held repeats it: no new claim, and nothing rises."""
    if case.new.external:
        return None
    said = [one for one in case.line.same if _was_held(one, case.claim)]
    if not said:
        return None
    first = max(said, key=lambda one: (one.state.live, one.external, one.seq))
    reason = "this memory already holds it: a repetition adds nothing"
    if not first.state.live and first.state.disposition is not D.PENDING_LOW_CONFIDENCE:
        reason = "this memory held it before: a repetition does not bring it back"
    return Decision(
        first.state.disposition,
        None,
        2,
        reason,
        Ledger.RECALL,
        compared_with=tuple(one.id for one in said),
        repeats=first.id,
    )


def not_asserted(case: Case) -> Decision | None:
    """Only the mood asserted enters belief: what is planned, possible or conditional is kept and marked."""
    if case.claim.asserted:
        return None
    disposition = D.COMMITTED_CHEAP if case.new.external else D.COMMITTED_INFERRED
    return _kept(case, 7 if case.new.external else 6, disposition, f"said as {case.claim.mood.value}, not as a fact")


def recalled(case: Case) -> Decision | None:
    """Row 3: a recall of what the line never held counts as a guess, keeps its label and is marked."""
    if case.claim.provenance is not Provenance.RECALL:
        return None
    reason = "a recall of something that was never held here counts as a guess"
    return _kept(case, 3, D.COMMITTED_INFERRED, reason, markers=(Marker.RECALL_TAINTED.value,))


def corroborates(case: Case) -> Decision | None:
    """Row 4: the same said again is evidence for it; another source commits what was pending."""
    woken = _woken(case)
    if case.contested_with or not case.new.external or not (case.same or woken):
        return None
    changes = (*woken, *_reviewed(case))
    kept = _kept(case, 4, D.COMMITTED_CHEAP, "it agrees with what is held", ledger=Ledger.CORROBORATED)
    return replace(kept, changes=changes)


def low_confidence(case: Case) -> Decision | None:
    """Row 5: an External claim of confidence below 0.2 is shown, and is not the belief."""
    if not case.new.external or case.claim.confidence >= case.context.settings.low_confidence:
        return None
    return _pending(case, 5, f"its confidence of {case.claim.confidence:g} is too low to be believed")


def inferred(case: Case) -> Decision | None:
    """Row 6: what a model concludes is believed only while nothing External is; it never contests nor replaces it."""
    if case.new.external:
        return None
    return _kept(case, 6, D.COMMITTED_INFERRED, "a model's conclusion; what people say comes before it")


def unopposed(case: Case) -> Decision | None:
    """Row 7: an External claim without a rival is a member, a successor, or the first.

    So is one that was extracted with little confidence and has only guesses against it: it stands beside them.
    """
    if case.contested_with or (case.guesses and not case.unsure):
        return None
    changes = _reviewed(case)
    return replace(_kept(case, 7, D.COMMITTED_CHEAP, "nothing that people said stands against it"), changes=changes)


def over_guesses(case: Case) -> Decision | None:
    """Row 8: an External claim whose rivals are all inferred supersedes them."""
    if case.contested_with:
        return None
    changes = [_superseded(one, case.new.id) for side in case.guesses for one in side.held]
    kept = _kept(case, 8, D.COMMITTED_CHEAP, "a person's word replaces a model's guess")
    return replace(kept, changes=(*changes, *_reviewed(case)))


def too_unsure(case: Case) -> Decision | None:
    """A claim extracted with confidence below 0.7 closes and contests nothing: it is pending instead."""
    if not case.unsure:
        return None
    return _pending(case, 11, f"extracted with a confidence of {case.claim.confidence:g}, too low to contest")


def update(case: Case) -> Decision | None:
    """Row 9: said as a change, it closes its External rival at the new start, or is closed where the rival starts."""
    if case.claim.intent is not Intent.UPDATE:
        return None
    found = told_update(case)
    return None if found is None else _succeeds(case, 9, found, f"said as a change, it {found.words} what was held")


def successor(case: Case) -> Decision | None:
    """Row 10: the same speaker, at least a day later, about what can change: the later statement succeeds."""
    if case.predicate.fixed or _disputed_already(case):
        return None
    found = implied_succession(case)
    if found is None:
        return None
    reason = f"the same speaker said it on another day, so it {found.words} what was held"
    return _succeeds(case, 10, found, reason, (Marker.IMPLIED_SUCCESSION.value,))


def _disputed_already(case: Case) -> bool:
    """Whether the side stands against one of the rivals without the new claim: then it is no change that was told."""
    known = [one for one in case.same if one.external and one.state.rivals]
    return bool(known) and stand_against(known, (clash.other for clash in case.clashes), case.predicate)


def contested(case: Case) -> Decision | None:
    """Row 11: External against External is kept on both sides and nothing is picked; an oracle is asked if set."""
    asked = case.context.oracle
    disposition = D.QUEUED if asked else D.CONTESTED
    reason = f"it contradicts {len(case.contested_with)} claim(s) that people stand behind"
    if case.claim.intent is Intent.UPDATE and not (case.claim.valid.start or case.claim.occurred_at):
        reason += "; it is said as a change, and not since when: give occurred_at, or valid_time.start"
    kept = _kept(case, 11, disposition, reason, ledger=Ledger.ASKED if asked else Ledger.CONTESTED)
    return replace(kept, contested_with=case.contested_with, changes=_reviewed(case))


ROWS: tuple[Row, ...] = (
    quarantined,
    repeated,
    not_asserted,
    recalled,
    corroborates,
    low_confidence,
    inferred,
    unopposed,
    over_guesses,
    too_unsure,
    update,
    successor,
    contested,
)

CLOSES = 9  # from this row on a decision moves windows, or makes rivals
CLOSING = 3


def _leniency(decision: Decision) -> int:
    """How strict an answer is: quarantine and repetition, then a contest, then one that waits, then what closes."""
    if decision.row in (1, 2):
        return 0
    if decision.disposition in (D.CONTESTED, D.QUEUED):
        return 1
    if decision.disposition is D.PENDING_LOW_CONFIDENCE:
        return 2
    return CLOSING if decision.row in (9, 10) else CLOSING + 1


def _kept(
    case: Case,
    row: int,
    disposition: Disposition,
    reason: str,
    *,
    live: bool = True,
    ledger: Ledger = Ledger.COMMITTED,
    markers: tuple[str, ...] = (),
) -> Decision:
    """A decision to keep the claim, in the state it begins with."""
    state = ClaimState(
        disposition,
        live,
        case.new.state.valid,
        (*markers_of(case), *markers),
        case.contested_with[:NAMED] if disposition in (D.CONTESTED, D.QUEUED) else (),
        born_flagged(case.claim, case.context.premises),
    )
    notes = tuple(note for note in (case.bounded, _no_date(case)) if note)
    return Decision(disposition, state, row, reason, ledger, compared_with=case.compared_with, notes=notes)


def _no_date(case: Case) -> str | None:
    """A word on a text where a date is due: it may be right ("spring 1990"), so it is kept."""
    value = case.claim.value
    if not (case.predicate.dated and isinstance(value, str)) or spoken_date(value) is not None:
        return None
    return f"value: {value[:60]!r} is no date that there is; it is kept, and compared, as a text"


def _pending(case: Case, row: int, reason: str) -> Decision:
    return _kept(case, row, D.PENDING_LOW_CONFIDENCE, reason, live=False)


def _succeeds(case: Case, row: int, found: Succession, reason: str, markers: tuple[str, ...] = ()) -> Decision:
    kept = _kept(case, row, D.COMMITTED_CHEAP, reason, ledger=Ledger.SUCCEEDED, markers=markers)
    if kept.state is None:
        return kept
    state = replace(kept.state, valid=found.valid, approximate=found.approximate)
    return replace(kept, state=state, changes=(*found.closed, *_reviewed(case, found.closed)))


def _was_held(held: Held, claim: Claim) -> bool:
    """Whether a claim is one that a repetition can repeat: said in the same mood, and not thrown out at the door."""
    return held.claim.mood is claim.mood and held.state.disposition not in (D.QUARANTINED, D.REJECTED)


def _woken(case: Case) -> tuple[Change, ...]:
    """Pending claims of the side that another source now restates, and that stand against nobody."""
    return tuple(
        Change(
            one.id,
            replace(one.state, disposition=D.COMMITTED_CHEAP, live=True),
            Ledger.CORROBORATED,
            "restated by another source",
            (case.new.id,),
            one.state,
        )
        for one in case.waiting
        if case.new.external and one.claim.origin != case.claim.origin and joins(case, one)
    )


def _reviewed(case: Case, already: Sequence[Change] = ()) -> tuple[Change, ...]:
    """Claims of the side that waited for a review, cleared: a person has said them again."""
    done = {change.claim_id for change in already}
    return tuple(
        Change(
            one.id,
            replace(one.state, review=None),
            Ledger.REVIEWED,
            "said again by a person",
            (case.new.id,),
            one.state,
        )
        for one in case.same
        if one.state.review is not None and one.id not in done
    )


def _superseded(held: Held, because: str) -> Change:
    state = replace(held.state, disposition=D.SUPERSEDED, live=False)
    return Change(held.id, state, Ledger.SUPERSEDED, "a person said otherwise", (because,), held.state)


def _settled(case: Case, decision: Decision) -> Decision:
    """The decision, with every claim of the line told of the rivals that it has now."""
    state = decision.state
    if state is None or not (state.live and case.new.external and case.claim.asserted):
        return decision
    known = case.line_now
    if decision.row < CLOSES and not any(one.state.rivals for one in known):
        return decision
    if not decision.changes and not case.same and state.valid == case.new.state.valid:
        return replace(decision, changes=tuple(_met_by(case, known)))  # no window moved, so nobody's rivals did
    line = (*after(known, decision.changes), replace(case.new, state=state))
    moved = {case.new.side, *_sides_of(known, decision.changes)}
    settled = settle(line, case.predicate, "contradicted by another claim", (case.new.id,), partial=True, moved=moved)
    mine = next((change.state for change in settled if change.claim_id == case.new.id), None)
    changes = merged_changes(decision.changes, (change for change in settled if change.claim_id != case.new.id))
    return replace(decision, changes=changes, state=replace(state, rivals=mine.rivals) if mine else state)


def _met_by(case: Case, known: Iterable[Held]) -> Iterator[Change]:
    """The claims that a new side contradicts, told of it if their states do not name enough rivals as it is."""
    met = set(case.contested_with)
    for one in known:
        if one.id in met and len(one.state.rivals) < NAMED:
            rivals = (*one.state.rivals, case.new.id)
            yield told(one, rivals, "contradicted by another claim", (case.new.id,))


def _sides_of(known: Iterable[Held], changes: Iterable[Change]) -> set[Key]:
    changed = {change.claim_id for change in changes}
    return {one.side for one in known if one.id in changed}


def _noted(case: Case, decision: Decision) -> Decision:
    """The decision with what it declares, and with a word on a cardinality that was not obeyed."""
    proposed, predicate = case.claim.cardinality, case.line.predicate
    if decision.state is None or proposed is None or decision.row == 1:
        return decision
    if predicate.declared:
        if proposed in (predicate.cardinality, Cardinality.UNKNOWN):
            return decision
        note = f"cardinality: {predicate.key} is {predicate.cardinality.value} here, {proposed.value} was not applied"
        return replace(decision, notes=(*decision.notes, note))
    if proposed is not Cardinality.SET_VALUED:
        return decision
    if not case.new.external:
        note = "cardinality: only what a person or an instrument says declares a predicate SetValued"
        return replace(decision, notes=(*decision.notes, note))
    return replace(decision, declares=Cardinality.SET_VALUED)


def _with_rivals(state: ClaimState | None, rivals: tuple[str, ...]) -> ClaimState | None:
    return None if state is None else replace(state, rivals=rivals)


def _union(groups: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))
