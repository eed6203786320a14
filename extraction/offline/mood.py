"""How a clause is said: asserted, denied, planned, possible or conditional; now or in the past; by whom."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbook.extraction.offline.vocabulary import LEMMAS
from hornbook.extraction.wordlists import words
from hornbook.graph.claim import Intent, Mood, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Token

FUTURE = words("will wo shall 'll gonna")
POSSIBLE = words("might may could should must ought can ca")
CONDITIONAL = words("would 'd")
SKILLS = words("speak play swim drive read write cook code sing dance ride ski")
PLANS = words("plan intend want hope decide aim mean expect prepare arrange promise agree go wish look")
MAYBE = words("try consider think dream like love need ask tell refuse fail seem appear claim offer attempt")
BEGIN = words("start begin continue keep proceed manage come get help go happen")
CEASE = words("stop quit cease")
SHORT_OF_IT = words("maybe perhaps possibly probably almost nearly apparently supposedly allegedly")
ENJOY = words("love like enjoy hate adore dislike prefer")
BELIEF = words(
    "deny hear seem appear think believe guess suppose assume hope wish imagine wonder doubt expect suspect fear "
    "pretend dream"
)
SPEECH = words(
    "say tell claim mention report announce state write argue explain add insist note declare reveal confirm "
    "promise suggest deny"
)
TELLING = words("know tell inform")
IF = words("if unless whether lest")


@dataclass(frozen=True, slots=True)
class Manner:
    """How one clause is said."""

    polarity: Polarity = Polarity.HOLDS
    mood: Mood = Mood.ASSERTED
    present: bool = True
    past: bool = False
    perfect: bool = False
    intent: Intent = Intent.STATE
    over: bool = False  # it was so and is no more: "used to", a stop
    reporter: "Token | None" = None  # who is said to have said it


PLAIN = Manner()  # asserted, now, by the speaker


def lemma_of(token: "Token") -> str:
    """The lemma, with the model's known faults mended."""
    return (
        LEMMAS.get(token.lemma_.lower(), token.lemma_.lower())
        if token.pos_ in ("VERB", "AUX")
        else token.lemma_.lower()
    )


def manner_of(verb: "Token") -> Manner:
    """How the clause of this verb is said, its governing clauses included.

    A governing "plans to", "might" or "if" reaches down to it; so does a "said" whose subject becomes the reporter.
    """
    finite = _finite(verb)
    mood, reporter = _mood_above(verb)
    own = _own_mood(verb)
    over = _used_to(verb) or _ceased(verb)
    no_longer = _no_longer(verb)
    denied = no_longer or _negated(verb)
    past = finite.tag_ == "VBD" or (finite.tag_ in ("VBN", "VBD") and finite.dep_ in ("acl", "ROOT"))
    perfect = any(a.dep_ in ("aux",) and lemma_of(a) == "have" for a in verb.children)
    return Manner(
        polarity=Polarity.NOT if denied or _ceased(verb) else Polarity.HOLDS,
        mood=_weaker(own, mood),
        present=not past and not over,
        past=past or over,
        perfect=perfect,
        intent=Intent.UPDATE if no_longer or _ceased(verb) else Intent.STATE,
        over=_used_to(verb),
        reporter=reporter or according_to(verb),
    )


def according_to(verb: "Token") -> "Token | None":
    """Bob in "according to Bob"."""
    for child in verb.children:
        if child.dep_ == "prep" and child.lower_ == "according":
            return next((p for c in child.children for p in c.children if p.dep_ == "pobj"), None)
    return None


ORDER = (Mood.ASSERTED, Mood.PLANNED, Mood.POSSIBLE, Mood.CONDITIONAL)


def _weaker(left: Mood, right: Mood) -> Mood:
    return max(left, right, key=ORDER.index)


def _finite(verb: "Token") -> "Token":
    """The word that carries the tense: the first auxiliary, else the verb, else that of the governing verb."""
    auxiliaries = [c for c in verb.children if c.dep_ in ("aux", "auxpass") and c.tag_ in ("VBD", "VBZ", "VBP", "MD")]
    if auxiliaries:
        return auxiliaries[0]
    if verb.tag_ in ("VB", "VBG", "VBN") and verb.dep_ in ("xcomp", "conj") and verb.head.pos_ in ("VERB", "AUX"):
        return _finite(verb.head)
    return verb


def _own_mood(verb: "Token") -> Mood:
    modals = {c.lower_ for c in verb.children if c.dep_ == "aux"}
    if modals & CONDITIONAL:
        return Mood.CONDITIONAL
    if modals & POSSIBLE and not (modals <= {"can"} and lemma_of(verb) in SKILLS):
        return Mood.POSSIBLE
    if modals & FUTURE:
        return Mood.PLANNED
    if any(c.dep_ == "advmod" and c.lower_ in SHORT_OF_IT for c in verb.children):
        return Mood.POSSIBLE
    if any(c.dep_ in ("mark", "advmod") and c.lower_ in IF for c in verb.children) or _has_condition(verb):
        return Mood.CONDITIONAL
    return Mood.ASSERTED


def _has_condition(verb: "Token") -> bool:
    return any(c.dep_ == "advcl" and any(m.lower_ in IF for m in c.children if m.dep_ == "mark") for c in verb.children)


def _mood_above(verb: "Token") -> tuple[Mood, "Token | None"]:
    """What the governing clauses make of it, and the nearest one who is said to say it."""
    mood, reporter, below = Mood.ASSERTED, None, verb
    for _ in range(6):
        above = below.head
        if above == below:
            break
        if below.dep_ == "ccomp" and _only_told(above):
            break
        if below.dep_ in ("xcomp", "ccomp", "acl", "pcomp") and above.pos_ in ("VERB", "AUX", "NOUN", "ADJ"):
            mood = _weaker(mood, _governed(above, below))
            if below.dep_ == "ccomp" and lemma_of(above) in SPEECH | BELIEF:
                reporter = reporter or next((c for c in above.children if c.dep_ in ("nsubj", "nsubjpass")), None)
        if below.dep_ in ("conj", "xcomp", "ccomp", "advcl") and above.pos_ in ("VERB", "AUX"):
            mood = _weaker(mood, _own_mood(above) if below.dep_ != "advcl" else Mood.ASSERTED)
        below = above
    return mood, reporter


def _only_told(above: "Token") -> bool:
    """In "I wanted to let you know that", "glad to tell you", "guess what": whether what follows is told as it is."""
    around = {c.lower_ for c in above.children}
    if lemma_of(above) == "guess":
        return bool(above.i + 1 < len(above.doc) and above.nbor().lower_ == "what")
    return lemma_of(above) in TELLING and above.tag_ == "VB" and "you" in around and "neg" not in _deps(above)


def _deps(token: "Token") -> set[str]:
    return {c.dep_ for c in token.children}


def _governed(above: "Token", below: "Token") -> Mood:
    lemma = lemma_of(above)
    if below.dep_ == "ccomp":
        return Mood.POSSIBLE if lemma in BELIEF else Mood.ASSERTED
    if below.dep_ == "xcomp" and above.pos_ in ("VERB", "AUX"):
        if lemma == "go":
            return Mood.PLANNED if below.tag_ == "VB" else Mood.ASSERTED
        if lemma in BEGIN or lemma in CEASE or lemma == "use" or (lemma in ENJOY and below.tag_ == "VBG"):
            return Mood.ASSERTED
        return (
            Mood.PLANNED if lemma in PLANS else Mood.POSSIBLE if lemma in MAYBE or below.tag_ == "VB" else Mood.ASSERTED
        )
    if below.dep_ == "xcomp":  # happy to, likely to
        return Mood.POSSIBLE
    if below.dep_ == "acl" and below.tag_ == "VB":  # a plan to
        return Mood.PLANNED
    return Mood.POSSIBLE if below.dep_ == "pcomp" and lemma in PLANS | MAYBE | BELIEF else Mood.ASSERTED


def _negated(verb: "Token") -> bool:
    if any(c.dep_ == "neg" for c in verb.children):
        return True
    if any(c.dep_ == "advmod" and c.lower_ in ("never", "neither", "hardly", "not") for c in verb.children):
        return True
    below = verb
    while below.dep_ in ("xcomp", "ccomp") and lemma_of(below.head) in BELIEF | BEGIN | PLANS | {"use"}:
        below = below.head
        if any(c.dep_ == "neg" for c in below.children):
            return True
    return False


def _no_longer(verb: "Token") -> bool:
    words = {c.lower_ for c in verb.children} | {
        g.lower_ for c in verb.children if c.dep_ == "advmod" for g in c.children
    }
    if {"no", "longer"} <= words:
        return True
    return (any(c.dep_ == "neg" for c in verb.children) and bool(words & {"anymore", "more"})) or (
        "any" in words and "longer" in words
    )


def _used_to(verb: "Token") -> bool:
    return verb.dep_ == "xcomp" and verb.head.lower_ == "used" and any(c.lower_ == "to" for c in verb.children)


def _ceased(verb: "Token") -> bool:
    return verb.dep_ == "xcomp" and lemma_of(verb.head) in CEASE and verb.tag_ == "VBG"


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    return sentence.rstrip(" \"'\u201d)").endswith("?")
