"""Claims from talk about oneself, beside what its verbs say: what one is into, has, plans, decides, has to do."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.everyday import (
    ANSWERING,
    ATTENDED,
    BELONGINGS,
    CLOSE,
    CONDITIONS,
    COUNTED,
    FORMER,
    GATHERINGS,
    HOMES,
    IRONY,
    JOY,
    MARITAL,
    OUTINGS,
    PARTIES,
    RELATIONS,
    SPOTS,
    STARTED,
    TIES,
    VAGUE,
    VISITED,
    WED,
    kin_name,
)
from hornbook.extraction.offline.mood import Manner, lemma_of, manner_of
from hornbook.extraction.offline.naming import Name
from hornbook.extraction.offline.reading import FIRST, WE, Phrase, Reading, all_of
from hornbook.extraction.offline.times import clause_verb
from hornbook.extraction.offline.verbs import anothers, subjects_of
from hornbook.extraction.offline.vocabulary import EMPTY_VERBS, PETS, Sense, sense_of
from hornbook.extraction.wordlists import words
from hornbook.graph.claim import Mood

if TYPE_CHECKING:
    from spacy.tokens import Token

IRONIC = re.compile(IRONY, re.IGNORECASE)
UNCLEAR = words(
    "you your it its this that these those them they their he him his she her someone somebody something anything "
    "there here one ones such same what how which stuff things"
)
LONGEST_AIM = 9  # words of an aim; what is longer is a thought
LIKES = Sense("likes", kind="preference")
PLANS, WANTS = Sense("plans"), Sense("wants")
DECIDED = Sense("decided", event=True, kind="decision")
TASK = Sense("has_to", kind="task")
INSTRUCTION = Sense("instructs", kind="instruction")
# (lemma, how the aim hangs on it): "I plan to", "I'm thinking of", "I decided to", "I need to"
AIMS: dict[tuple[str, str], Sense] = {
    **dict.fromkeys((("plan", "xcomp"), ("intend", "xcomp"), ("aim", "xcomp"), ("go", "xcomp")), PLANS),
    **dict.fromkeys((("plan", "on"), ("think", "of"), ("think", "about"), ("look", "into")), PLANS),
    **dict.fromkeys((("start", "xcomp"), ("begin", "xcomp")), STARTED),
    **dict.fromkeys((("want", "xcomp"), ("hope", "xcomp"), ("dream", "of"), ("wanna", "xcomp")), WANTS),
    **dict.fromkeys((("decide", "xcomp"), ("choose", "xcomp"), ("resolve", "xcomp")), DECIDED),
    **dict.fromkeys((("need", "xcomp"), ("have", "xcomp"), ("get", "xcomp")), TASK),
}
GOALS = {**dict.fromkeys(words("goal plan aim"), PLANS), **dict.fromkeys(words("dream wish hope"), WANTS)}


def talk_drafts(reading: Reading) -> Iterator[Draft]:
    """What a speaker tells of themself and theirs, in the order of the text."""
    for token in reading.words:
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass"):
            yield from _of_verb(reading, token)
        elif token.dep_ == "poss" and token.lower_ in ("my", "our"):
            yield from _mine(reading, token)
        elif token.lemma_.lower() in OUTINGS and token.pos_ == "NOUN":
            yield from _journey(reading, token)


def known_as(reading: Reading) -> dict[str, str]:
    """Named kin by name, each with what they were called as long as nobody had named them: Maria, "Ana's sister"."""
    found = {}
    for token in reading.words:
        word = reading.kin_word(token)
        name = _name_beside(reading, token) if word else None
        if word and name is not None:  # whatever the model takes the name for
            found[reading.full.get(name.text, name.text)] = kin_name(reading.passage.speaker or "user", word)
    return found


def _name_beside(reading: Reading, kin: "Token") -> Name | None:
    """My sister Maria; Maria is my sister; my sister is called Maria; my sister's name is Maria."""
    near = [c for c in kin.children if c.dep_ == "appos"]
    clause = kin.head.head if kin.dep_ == "poss" and kin.head.lower_ == "name" else kin.head
    if kin.dep_ == "compound":
        near.append(kin.head)
    elif kin.dep_ == "attr":
        near += [c for c in clause.children if c.dep_ == "nsubj"]
    elif clause.lemma_ in ("be", "call", "name") and (clause != kin.head or kin.dep_.startswith("nsubj")):
        near += [c for c in clause.children if c.dep_ in ("attr", "oprd")]
    return next((name for token in near if (name := reading.name_of(token)) and not name.literal), None)


def ironic(sentence: str) -> bool:
    """Whether a sentence shows that it means the opposite of what it says.

    >>> ironic("I just love being stuck in traffic."), ironic("I love trains.")
    (True, False)
    """
    return bool(IRONIC.search(sentence))


def _of_verb(reading: Reading, verb: "Token") -> Iterator[Draft]:
    subjects = subjects_of(verb)
    manner = manner_of(verb)
    if not subjects:
        yield from _order(reading, verb)
    for subject in subjects:
        if lemma_of(verb) == "be":
            yield from _is(reading, verb, subject, manner)
        elif who := reading.who(subject):
            yield from _wed(verb, who, manner)
            yield from _likes_to(reading, verb, who, manner)
            yield from _has(reading, verb, who, manner) if lemma_of(verb) in ("have", "get") else ()
            yield from _went(verb, who, manner)
            yield from _aims(reading, verb, who, manner)


def _is(reading: Reading, verb: "Token", subject: "Token", manner: Manner) -> Iterator[Draft]:
    """I'm into jazz; I'm a big fan of jazz; I'm obsessed with chess; jazz is my favourite; my goal is to paint."""
    who = reading.who(subject)
    for child in verb.children:
        if child.dep_ == "prep" and who:
            yield from _tied(reading, verb, who, "", child, manner)
        elif child.dep_ == "acomp" and who:
            yield from _so(reading, verb, who, child, manner)
        elif child.dep_ == "attr" and who:
            yield from _kind(reading, verb, who, child, manner)
        elif child.dep_ == "xcomp" and subject.lemma_.lower() in GOALS and _is_mine(subject):
            yield from _aim(reading, verb, _me(reading, 1.0), GOALS[subject.lemma_.lower()], child, manner)


def _is_mine(noun: "Token") -> bool:
    return any(c.dep_ == "poss" and c.lower_ == "my" for c in noun.children)


def _me(reading: Reading, sure: float) -> Phrase:
    return Phrase(reading.passage.speaker or "user", "person", sure=sure)


def _tied(
    reading: Reading, verb: "Token", who: Phrase, adjective: str, preposition: "Token", manner: Manner
) -> Iterator[Draft]:
    sense = TIES.get((adjective, preposition.lower_))
    for child in preposition.children if sense else ():
        for target in all_of(child) if child.dep_ == "pobj" else ():
            if sense and (value := _clear(reading, target)):
                yield Draft(verb, who, sense.predicate, value, manner, sense=sense, confidence=0.8)


def _so(reading: Reading, verb: "Token", who: Phrase, adjective: "Token", manner: Manner) -> Iterator[Draft]:
    for child in adjective.children:
        if child.dep_ == "prep":
            yield from _tied(reading, verb, who, adjective.lower_, child, manner)
        elif child.dep_ == "npadvmod" and adjective.lower_ == "old" and child.lemma_.lower() == "year":
            number = next((c for c in child.children if c.dep_ == "nummod"), None)
            if number is not None and who.type == "person":
                yield Draft(verb, who, "age", Phrase(number.text, named=False), manner)
    if adjective.lower_ in MARITAL and not any(c.dep_ == "prep" for c in adjective.children):
        yield Draft(verb, who, "marital_status", Phrase(adjective.lower_, named=False), manner)


def _kind(reading: Reading, verb: "Token", who: Phrase, noun: "Token", manner: Manner) -> Iterator[Draft]:
    """A big fan of jazz, a member of the choir; 34, and nothing else, is an age."""
    if noun.lemma_.lower() in ("fan", "lover") and (of := [c for c in noun.children if c.dep_ == "compound"]):
        text = reading.doc[of[0].left_edge.i : noun.i].text  # a video game fan
        yield Draft(verb, who, "likes", Phrase(text, named=False), manner, sense=LIKES, confidence=0.8)
    sense = {"fan": LIKES, "lover": LIKES, "member": Sense("member_of")}.get(noun.lemma_.lower())
    for child in noun.children if sense else ():
        if sense and child.dep_ == "prep" and child.lower_ == "of":
            for inner in child.children:
                for target in all_of(inner) if inner.dep_ == "pobj" else ():
                    if value := _clear(reading, target):
                        yield Draft(verb, who, sense.predicate, value, manner, sense=sense, confidence=0.8)
    if who.type == "person" and _is_age(reading, noun):
        yield Draft(verb, who, "age", Phrase(noun.text, named=False), manner)


def _is_age(reading: Reading, noun: "Token") -> bool:
    """A bare number of years behind "I am"."""
    bare = noun.text.isdigit() and not list(noun.children) and 3 <= int(noun.text) <= 110
    return bare and noun.i + 1 < len(reading.doc) and reading.doc[noun.i + 1].is_punct


def _has(reading: Reading, verb: "Token", who: Phrase, manner: Manner) -> Iterator[Draft]:
    """I have two kids, a sister, asthma, a guitar; we've got three dogs."""
    got = lemma_of(verb) == "get"
    if got and not manner.perfect:
        return
    for child in verb.children:
        for noun in all_of(child) if child.dep_ == "dobj" and not anothers(child) else ():
            lemma = noun.lemma_.lower()
            number = next((c.text for c in noun.children if c.dep_ == "nummod"), None)
            if number and lemma in COUNTED:
                yield Draft(verb, who, COUNTED[lemma], Phrase(number, named=False), manner)
            elif lemma in CONDITIONS:
                yield Draft(verb, who, "diagnosed_with", Phrase(reading.noun_phrase(noun), named=False), manner)
            elif manner.past and not got and lemma in PARTIES:
                yield Draft(verb, who, "attended", Phrase(reading.noun_phrase(noun), named=False), manner, ATTENDED)
            elif manner.past and not got and lemma in JOY:
                yield from _enjoyed(reading, verb, who, noun, manner)
            elif lemma in BELONGINGS | HOMES:
                yield Draft(verb, who, "owns", Phrase(reading.noun_phrase(noun), named=False), manner, confidence=0.75)
            elif got and lemma in PETS - {"pet"}:
                yield Draft(verb, who, "has_pet", Phrase(reading.noun_phrase(noun), named=False), manner)
            elif CLOSE.get(lemma) in RELATIONS and not number and _one_of_them(noun) and not reading.name_of(noun):
                kin = Phrase(kin_name(who.text, CLOSE[lemma]), "person", sure=0.95)
                yield Draft(verb, kin, RELATIONS[CLOSE[lemma]], who, manner)


def _enjoyed(reading: Reading, verb: "Token", who: Phrase, noun: "Token", manner: Manner) -> Iterator[Draft]:
    """We had a blast at the flower show."""
    for preposition in (*noun.children, *verb.children):
        for target in preposition.children if preposition.lower_ == "at" else ():
            value = reading.what(target) if target.lemma_.lower() in GATHERINGS | {"fest"} else None
            if value:
                yield Draft(verb, who, "attended", value, manner, ATTENDED)


def _one_of_them(noun: "Token") -> bool:
    """Whether it is "a sister" without a name behind it."""
    return any(c.lower_ in ("a", "an") for c in noun.children) and not any(
        c.dep_ in ("appos", "acl", "relcl", "compound") for c in noun.children
    )


def _likes_to(reading: Reading, verb: "Token", who: Phrase, manner: Manner) -> Iterator[Draft]:
    """I love to read; I like to collect stamps."""
    sense = sense_of(lemma_of(verb), "")
    for child in verb.children if sense and sense.kind == "preference" else ():
        if sense and child.dep_ == "xcomp" and child.tag_ == "VB" and lemma_of(child) not in EMPTY_VERBS - {"read"}:
            text = aim_text(reading, child) or ("" if _goes_on(child) else child.lower_)
            if text:
                yield Draft(verb, who, sense.predicate, Phrase(f"to {text}", named=False), manner, sense=sense)


def _wed(verb: "Token", who: Phrase, manner: Manner) -> Iterator[Draft]:
    """We've been married for ten years; I got divorced."""
    passive = any(c.dep_ in ("nsubjpass", "auxpass") for c in verb.children)
    to_whom = any(c.dep_ in ("prep", "agent", "dobj") and c.lower_ in ("to", "by") for c in verb.children)
    if passive and verb.lower_ in MARITAL and not to_whom and who.type == "person":
        yield Draft(verb, who, "marital_status", Phrase(verb.lower_, named=False), manner)


def _went(verb: "Token", who: Phrase, manner: Manner) -> Iterator[Draft]:
    """I went hiking."""
    if lemma_of(verb) != "go":
        return
    for child in verb.children:
        gerund = child.tag_ == "VBG" and child.dep_ == "xcomp"
        if (gerund or (child.dep_ in ("dobj", "npadvmod") and child.text.endswith("ing"))) and child.i == verb.i + 1:
            yield Draft(verb, who, "went", Phrase(child.lower_, named=False), manner, sense=Sense("went", event=True))


def _aims(reading: Reading, verb: "Token", who: Phrase, manner: Manner) -> Iterator[Draft]:
    """I plan to learn Greek; I'm thinking of opening a bakery; I decided to quit; I need to renew my passport."""
    lemma = lemma_of(verb)
    for child in verb.children:
        if child.dep_ == "xcomp" and (sense := AIMS.get((lemma, "xcomp"))):
            if lemma in ("go", "get") and not _auxiliary(verb, child):
                continue
            if sense is STARTED and (manner.mood is not Mood.ASSERTED or sense_of(lemma_of(child), "")):
                continue
            yield from _aim(reading, verb, who, sense, child, manner)
        elif child.dep_ == "prep" and (sense := AIMS.get((lemma, child.lower_))):
            for inner in child.children if verb.tag_ == "VBG" and manner.present else ():
                if inner.dep_ == "pcomp" and inner.tag_ == "VBG":
                    yield from _aim(reading, verb, who, sense, inner, manner)


def _auxiliary(verb: "Token", aim: "Token") -> bool:
    """In "am going to", "have got to": whether it only says when, or that one must."""
    helpers = {c.lemma_.lower() for c in verb.children if c.dep_ == "aux"}
    soon = "be" in helpers or verb.lower_ == "gon" if lemma_of(verb) == "go" else "have" in helpers
    return aim.tag_ == "VB" and soon


def _aim(reading: Reading, verb: "Token", who: Phrase, sense: Sense, aim: "Token", manner: Manner) -> Iterator[Draft]:
    """An aim in its own words, where these say what is aimed at."""
    if lemma_of(aim) in EMPTY_VERBS or (sense is TASK and manner.past) or any(c.dep_ == "neg" for c in aim.children):
        return
    text = aim_text(reading, aim) or (
        aim.lower_ if sense is STARTED and aim.tag_ == "VBG" and not _goes_on(aim) else None
    )
    if text is None or manner.mood not in (Mood.ASSERTED, Mood.PLANNED, Mood.CONDITIONAL):
        return
    held = Mood.ASSERTED if manner.mood is Mood.PLANNED and lemma_of(verb) == "go" else manner.mood
    told = Manner(manner.polarity, held, manner.present, manner.past, manner.perfect, reporter=manner.reporter)
    yield Draft(verb, who, sense.predicate, Phrase(text, named=False), told, sense=sense, confidence=0.75)


def aim_text(reading: Reading, aim: "Token") -> str | None:
    """The words of an aim up to its last object; None where they point elsewhere or name nothing."""
    kept = ("dobj", "prep", "prt", "dative", "acomp", "attr", "oprd")
    parts = [c for c in aim.children if c.i > aim.i and c.dep_ in kept]
    end = aim.i
    for part in parts:
        if part.left_edge.i != end + 1:
            break
        end = _last_of(part)
    words_ = reading.doc[aim.i : end + 1]
    if len(words_) > LONGEST_AIM or any(w.lower_ in UNCLEAR or w.lower_ in WE for w in words_):
        return None
    things = [w for w in words_ if w.pos_ in ("NOUN", "PROPN")]
    if not things or all(w.lemma_.lower() in VAGUE for w in things) or any(w.is_punct for w in words_):
        return None
    return str(words_.text)


def _goes_on(aim: "Token") -> bool:
    """Whether something hangs on it that its one word does not say."""
    return any(c.dep_ in ("dobj", "prep", "xcomp", "ccomp", "acomp", "prt", "oprd") for c in aim.children)


def _last_of(part: "Token") -> int:
    """The last word of a phrase without the clauses that hang on it."""
    ends = [c.left_edge.i - 1 for c in part.subtree if c.dep_ in ("relcl", "advcl", "ccomp", "punct", "cc")]
    return min([*ends, part.right_edge.i])


def _order(reading: Reading, verb: "Token") -> Iterator[Draft]:
    """Always answer in French; please never call me before nine; call me Annie."""
    if verb.dep_ != "ROOT" or verb.tag_ != "VB" or lemma_of(verb) not in ANSWERING:
        return
    before = {c.lower_ for c in verb.children if c.i < verb.i}
    always = before & {"always", "never"} or (before & {"please"} and "neg" in {c.dep_ for c in verb.children})
    if always:
        text = reading.quote_of(verb).rstrip(" .!")
        yield Draft(verb, _me(reading, 1.0), "instructs", Phrase(text, named=False), sense=INSTRUCTION, confidence=0.75)


def _mine(reading: Reading, my: "Token") -> Iterator[Draft]:
    """Whoever speaks of "my dog" has one; of "my wife", is married."""
    noun = my.head
    if reading.who(my) is None or any(c.lower_ in FORMER or c.dep_ == "appos" for c in noun.children):
        return
    if reading.name_of(noun) is not None or noun.dep_ == "compound":
        return
    if noun.lemma_.lower() in PETS - {"pet"}:
        owner = Phrase(reading.passage.speaker or "user", "person", sure=0.95)
        yield Draft(noun, owner, "has_pet", Phrase(reading.noun_phrase(noun), named=False), confidence=0.8, dated=False)
    elif my.lower_ == "my" and noun.lemma_.lower() in BELONGINGS and noun.tag_ == "NN":
        owner = Phrase(reading.passage.speaker or "user", "person", sure=0.95)
        yield Draft(noun, owner, "owns", Phrase(noun.lower_, named=False), confidence=0.75, dated=False)
    elif my.lower_ == "my" and (kin := reading.unnamed_kin(noun)):
        yield from _kin(reading, noun, CLOSE[noun.lower_], kin)


def _kin(reading: Reading, noun: "Token", word: str, kin: Phrase) -> Iterator[Draft]:
    """Whose kin somebody unnamed is. Of a spouse only that there is one: a name may come under which they are known."""
    speaker = Phrase(reading.passage.speaker or "user", "person")
    if word in WED:
        yield Draft(noun, speaker, "marital_status", Phrase(WED[word], named=False), dated=False)
    elif word in RELATIONS:
        yield Draft(noun, kin, RELATIONS[word], speaker, dated=False)


def _journey(reading: Reading, noun: "Token") -> Iterator[Draft]:
    """I took a trip to Wales; on our trip to the coast last year, it rained."""
    verb = clause_verb(noun)
    who = next((reading.who(c) for c in noun.children if c.dep_ == "poss" and c.lower_ in ("my", "our")), None)
    if who is None and lemma_of(verb) in ("take", "go", "make", "have"):
        who = next((found for subject in subjects_of(verb) if (found := reading.who(subject))), None)
    manner = manner_of(verb)
    for preposition in noun.children if who and manner.past and manner.mood is Mood.ASSERTED else ():
        for target in preposition.children if preposition.lower_ == "to" else ():
            named = reading.name_of(target)
            value = reading.what(target) if named or target.lemma_.lower() in SPOTS else None
            if who and value and not (named and named.literal):
                yield Draft(verb, who, "visited", value, manner, VISITED)


def _clear(reading: Reading, token: "Token") -> Phrase | None:
    """A value that is told apart from others: a name, or a noun that says something and is nobody else's."""
    name = reading.name_of(token)
    if token.lemma_.lower() in VAGUE or token.lower_ in FIRST | UNCLEAR or anothers(token):
        return None
    if name is None and token.pos_ not in ("NOUN", "PROPN", "VERB"):
        return None
    if name and (whole := _of_a_name(reading, token, name)):
        return Phrase(whole, "thing")
    return reading.what(token)


def _of_a_name(reading: Reading, token: "Token", name: Name) -> str | None:
    """The Lord of the Rings: a name that goes on behind "of"."""
    behind = [p for c in token.children if c.dep_ == "prep" and c.lower_ == "of" for p in c.children]
    if token.i != name.end - 1 or not behind or behind[0].pos_ != "PROPN":
        return None
    return str(reading.doc[name.start : behind[0].i + 1].text)
