"""Which predicate a verb or a noun says, in the registry's words. What is not here keeps its own lemma."""

from dataclasses import dataclass

from hornbook.extraction.wordlists import words
from hornbook.graph.claim import Intent


@dataclass(frozen=True, slots=True)
class Sense:
    """What a verb with its preposition says: a predicate, whether it is a change, an event, which types fit the value.

    `swap` puts the object first: "Acme employs Ana" is Ana works_for Acme.
    """

    predicate: str
    intent: Intent = Intent.STATE
    event: bool = False
    types: tuple[str, ...] = ()
    swap: bool = False
    kind: str = "fact"
    ends: bool = False  # it says that the value holds no more
    lenient: bool = False  # any name will do as a value: the verb says what it is better than the model

    def takes(self, kind: str | None, named: bool) -> bool:
        """Whether a value of this type can be meant."""
        return not self.types or (named and (self.lenient or (kind or "thing") in self.types))


PLACE = ("place", "thing", "organisation")
GROUP = ("organisation", "thing", "place", "group")
LIVES = Sense("lives_in", types=PLACE, lenient=True)
MOVED = Sense("lives_in", Intent.UPDATE, types=("place", "thing"), lenient=True)
WORKS = Sense("works_for", types=(*GROUP, "person"), lenient=True)
HIRED = Sense("works_for", Intent.UPDATE, types=GROUP)
ENDED_WORK = Sense("works_for", Intent.UPDATE, types=(*GROUP, "person"), ends=True)
LIKES = Sense("likes", kind="preference")
DISLIKES = Sense("dislikes", kind="preference")
LOCATED = Sense("located_in", types=PLACE)
STUDIED = Sense("studied_at", types=GROUP)

# (lemma, preposition or "" for the direct object); passives stand under their participle, "born" among them
VERBS: dict[tuple[str, str], Sense] = {
    ("live", "in"): LIVES,
    ("reside", "in"): LIVES,
    ("settle", "in"): MOVED,
    ("live", "at"): Sense("lives_at"),
    ("move", "to"): MOVED,
    ("relocate", "to"): MOVED,
    ("emigrate", "to"): MOVED,
    ("immigrate", "to"): MOVED,
    ("work", "for"): WORKS,
    ("work", "at"): WORKS,
    ("work", "as"): Sense("works_as"),
    ("join", ""): Sense("member_of", event=False, types=GROUP),
    ("employ", ""): Sense("works_for", types=("person",), swap=True),
    ("employed", "by"): WORKS,
    ("hired", "by"): HIRED,
    ("own", ""): Sense("owns"),
    ("like", ""): LIKES,
    ("love", ""): LIKES,
    ("enjoy", ""): LIKES,
    ("adore", ""): LIKES,
    ("hate", ""): DISLIKES,
    ("dislike", ""): DISLIKES,
    ("detest", ""): DISLIKES,
    ("loathe", ""): DISLIKES,
    ("prefer", ""): Sense("prefers", kind="preference"),
    ("speak", ""): Sense("speaks"),
    ("study", "at"): STUDIED,
    ("graduate", "from"): STUDIED,
    ("educated", "at"): STUDIED,
    ("attend", ""): Sense("attended", event=True),
    ("study", ""): Sense("studies"),
    ("marry", ""): Sense("married_to", Intent.UPDATE, types=("person", "thing")),
    ("married", "to"): Sense("married_to", types=("person", "thing")),
    ("engaged", "to"): Sense("engaged_to", types=("person", "thing")),
    ("born", "in"): Sense("born_in", event=True, types=PLACE, lenient=True),
    ("born", "at"): Sense("born_in", event=True, types=PLACE, lenient=True),
    ("bear", "in"): Sense("born_in", event=True, types=PLACE, lenient=True),
    ("die", "in"): Sense("died_in", event=True, types=PLACE, lenient=True),
    ("located", "in"): LOCATED,
    ("situated", "in"): LOCATED,
    ("located", "at"): LOCATED,
    ("situated", "at"): LOCATED,
    ("found", "in"): LOCATED,
    ("lie", "in"): LOCATED,
    ("based", "in"): Sense("based_in", types=PLACE),
    ("headquartered", "in"): Sense("based_in", types=PLACE),
    ("visit", ""): Sense("visited", event=True),
    ("explore", ""): Sense("visited", event=True, types=("place",)),
    ("travel", "to"): Sense("visited", event=True, types=PLACE),
    ("go", "to"): Sense("visited", event=True, types=("place", "thing")),
    ("meet", ""): Sense("met", event=True),
    ("buy", ""): Sense("bought", event=True),
    ("purchase", ""): Sense("bought", event=True),
    ("adopt", ""): Sense("adopted", event=True),
    ("found", ""): Sense("founded", event=True),
    ("co-found", ""): Sense("founded", event=True),
    ("write", ""): Sense("wrote", event=True),
    ("kill", ""): Sense("killed", event=True),
    ("assassinate", ""): Sense("assassinated", event=True),
    ("play", ""): Sense("plays"),
    ("move", "from"): Sense("lives_in", Intent.UPDATE, types=("place", "thing"), ends=True),
    ("resign", "from"): ENDED_WORK,
    ("retire", "from"): ENDED_WORK,
    ("fired", "from"): ENDED_WORK,
    ("diagnosed", "with"): Sense("diagnosed_with"),
    ("suffer", "from"): Sense("diagnosed_with"),
    ("eat", ""): Sense("eats"),
    ("drive", ""): Sense("drives"),
    ("manage", ""): Sense("manages", types=("person", "organisation", "thing")),
    ("divorce", ""): Sense("married_to", Intent.UPDATE, types=("person", "thing"), ends=True),
    ("learn", ""): Sense("studies"),
    ("use", ""): Sense("uses"),
    ("win", ""): Sense("won", event=True),
    ("receive", ""): Sense("received", event=True),
    ("sell", ""): Sense("sold", event=True),
    ("watch", ""): Sense("watched", event=True, types=("work", "thing", "person", "organisation")),
    ("travel", "in"): Sense("visited", event=True, types=PLACE),
    ("belong", "to"): Sense("member_of", types=GROUP),
    ("called", "oprd"): Sense("name"),
    ("named", "oprd"): Sense("name"),
}
DATED = {  # verbs whose date is the claim, not the time of another
    "bear": "born_on",
    "die": "died_on",
    "found": "founded_on",
    "establish": "founded_on",
    "form": "founded_on",
    "create": "created_on",
    "build": "built_on",
    "construct": "built_on",
    "complete": "completed_on",
    "open": "opened_on",
    "release": "released_on",
    "publish": "published_on",
    "launch": "launched_on",
    "discover": "discovered_on",
    "inaugurate": "inaugurated_on",
    "dissolve": "dissolved_on",
    "introduce": "introduced_on",
    "premiere": "premiered_on",
    "retire": "retired_on",
}
KIN = {
    **dict.fromkeys(("sister", "brother", "sibling", "twin"), "sibling_of"),
    **dict.fromkeys(("mother", "father", "mom", "mum", "dad", "parent"), "parent_of"),
    **dict.fromkeys(("son", "daughter", "child", "kid"), "child_of"),
    **dict.fromkeys(("wife", "husband", "spouse"), "married_to"),
    **dict.fromkeys(("girlfriend", "boyfriend", "partner", "fiancé", "fiancée", "fiance", "fiancee"), "partner_of"),
    **dict.fromkeys(("friend", "buddy", "pal"), "friend_of"),
    **dict.fromkeys(("colleague", "coworker", "co-worker", "teammate"), "colleague_of"),
    **dict.fromkeys(("boss", "manager"), "manages"),
    **dict.fromkeys(("cousin",), "related_to"),
    **dict.fromkeys(("grandmother", "grandfather", "grandma", "grandpa"), "grandparent_of"),
    **dict.fromkeys(("aunt", "uncle"), "related_to"),
    **dict.fromkeys(("neighbor", "neighbour"), "neighbour_of"),
    **dict.fromkeys(("roommate", "flatmate"), "lives_with"),
}
PETS = words("dog cat puppy kitten hamster rabbit parrot turtle horse pony pet goldfish guinea")
PROFESSIONS = words(
    "nurse doctor teacher engineer lawyer student chef cook pilot judge farmer artist musician journalist "
    "scientist programmer developer designer architect dentist plumber electrician carpenter accountant manager "
    "director writer author poet actor actress singer painter photographer politician professor researcher "
    "librarian mechanic baker barista waiter waitress therapist psychologist veterinarian vet pharmacist surgeon "
    "soldier officer firefighter consultant analyst economist historian philosopher physicist chemist biologist "
    "mathematician translator interpreter editor composer coach footballer astronaut entrepreneur electrician "
    "tailor barber hairdresser"
)
TITLES = words(
    "President Ambassador Minister Senator Sen. Governor Gov. Mayor Chancellor Premier Secretary General Gen. "
    "Colonel Col. Representative Rep. Judge Justice Attorney Commander Captain Capt. Director Chairman Professor "
    "Archduke King Queen Emperor Prince Princess Bishop Archbishop Coach Deputy Chief Marshal Admiral Sergeant "
    "Sgt. Lieutenant Lt. Dean"
)
STATES = words(
    "vegetarian vegan married single divorced widowed pregnant retired allergic left-handed diabetic celiac deaf blind"
)
ROLE_ENDINGS = ("ist", "ian", "eer", "ologist", "grapher", "keeper", "worker", "maker", "trainer", "officer")
LEMMAS = {"hat": "hate", "bear": "bear"}  # the small model's own faults

EMPTY_VERBS = words(
    "think know hope guess feel mean want need see look sound get let thank say tell ask make take give do try "
    "keep seem appear remain happen come hear believe suppose wonder wish agree appreciate care help put mind "
    "remember forget bring start begin stop continue show use find have be become go set turn call read watch "
    "talk chat imagine introduce swamp cheer"
)  # with these, a value in talk says too little to be kept


def sense_of(lemma: str, preposition: str, participle: str = "") -> Sense | None:
    """What the vocabulary says of a verb with this preposition; its participle is tried first for a passive.

    >>> sense_of("move", "to").predicate, sense_of("locate", "in", "located").predicate, sense_of("sing", "")
    ('lives_in', 'located_in', None)
    """
    return (VERBS.get((participle, preposition)) if participle else None) or VERBS.get((lemma, preposition))


def is_profession(noun: str) -> bool:
    """Whether a common noun says what somebody works as."""
    return noun in PROFESSIONS or noun.endswith(ROLE_ENDINGS)
