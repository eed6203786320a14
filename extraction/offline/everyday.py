"""What people tell of their days in talk: which verb with which noun says what. Data; `verbs.py` reads it.

Common nouns are values here only where the verb and the noun are both listed: "went to a concert" says something that
"went to a place" does not.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hornbook.extraction.offline.vocabulary import KIN, PETS, Sense
from hornbook.extraction.wordlists import words
from hornbook.graph.claim import Intent

GATHERINGS = words(
    "conference workshop concert festival convention party wedding class course seminar meeting parade fair "
    "exhibition exhibit show gala auction retreat camp marathon race triathlon tournament competition contest match "
    "lecture talk ceremony graduation reunion funeral service rally march protest fundraiser event game recital "
    "playdate barbecue bbq picnic screening premiere festival webinar meetup training program programme "
    "championship hackathon interview audition appointment lesson tour"
)
SPOTS = words(
    "beach museum park zoo gym mountain lake forest aquarium library gallery theater theatre castle island farm "
    "market mall hospital church temple garden desert waterfall canyon shelter stadium arcade bakery cinema"
)
OUTINGS = words("trip vacation holiday hike cruise honeymoon safari tour walk ride retreat pilgrimage getaway")
ACTIVITIES = words(
    "yoga pilates karate judo taekwondo ballet boxing kickboxing gymnastics gardening pottery meditation crossfit "
    "photography painting knitting running swimming hiking camping surfing skiing snowboarding skating cycling "
    "climbing kayaking fishing bowling dancing archery woodworking calligraphy origami"
)
WORKS_OF_ART = words(
    "painting drawing sketch portrait mural sculpture song poem quilt scarf sweater bowl vase mug comic"
)
DISHES = words(
    "cake cakes cookie cookies bread pie pies pizza soup stew pasta muffins brownies cupcakes lasagna curry salad "
    "dessert"
)
BOOKS = words("book novel memoir biography comic manga trilogy series story poem autobiography")
PARTS = words("ankle arm back elbow finger foot hand head hip knee leg neck rib shoulder toe wrist nose hamstring")
BELONGINGS = words(
    "car bike bicycle motorcycle truck van boat guitar piano violin keyboard drum ukulele flute cello saxophone "
    "camera laptop telescope tent kayak skateboard surfboard sewing-machine console"
)
HOMES = words("house apartment flat cabin cottage condo farm studio")
FIRMS = words("business company shop store startup café cafe restaurant studio bakery blog podcast channel agency gym")
GROUPS = words(
    "club team gym band group choir program programme forum league orchestra union community church class network"
)
EXAMS = words("exam exams test interview certification bar")
UNDERTAKINGS = words("project book novel game app website song album thesis dissertation paper painting article series")
ARRANGED = GATHERINGS | words("drive sale dinner meal trip competition comp cleanup raffle potluck outing campaign")
WORKPLACES = words(
    "bakery restaurant cafe café bar hotel hospital clinic school university library shop store bank factory office "
    "museum farm shelter garage salon pharmacy startup kindergarten nursery warehouse newspaper"
)
GEAR = words("phone tablet card monitor headset headphones controller desk chair bed sofa telescope printer mixer tv")
BUILT = words(
    "website app application mod robot table shelf treehouse sandcastle character game birdhouse snowman fort"
)
PARTIES = words(
    "picnic party wedding interview appointment barbecue bbq reunion recital audition meetup playdate sleepover checkup"
)
JOY = words("blast time fun")
LOSSES = words("job wallet phone key keys passport ring luggage bag")
TONGUES = words("guitar piano violin drums ukulele flute cello saxophone chess coding programming")

ATTENDED = Sense("attended", event=True)
VISITED = Sense("visited", event=True)
WENT = Sense("went_on", event=True)
CREATED = Sense("created", event=True)
HAS_READ = Sense("has_read", event=True)
READS = Sense("reads")
JOINED = Sense("member_of")
HOBBY = Sense("hobby")
INJURED = Sense("injured", event=True)
ORGANISED = Sense("organised", event=True)
STARTED = Sense("started", event=True)
FINISHED = Sense("finished", event=True)
HAS_PET = Sense("has_pet")
HURTING = ("hurt", "injure", "break", "sprain", "twist", "fracture", "tear", "dislocate")


@dataclass(frozen=True, slots=True)
class Saying:
    """What a verb says of the nouns listed; `free` of any noun that is not vague, `told` where a word describes it."""

    sense: Sense
    nouns: frozenset[str] = frozenset()
    free: bool = False
    told: bool = False


# (lemma with its particle, preposition or ""); the first whose nouns fit is meant
SAYINGS: Mapping[tuple[str, str], tuple[Saying, ...]] = {
    ("go", "to"): (Saying(ATTENDED, GATHERINGS), Saying(VISITED, SPOTS)),
    **{
        (verb, "from"): (Saying(ATTENDED, GATHERINGS), Saying(VISITED, SPOTS), Saying(WENT, OUTINGS - {"walk", "ride"}))
        for verb in ("get_back", "come_back", "return")
    },
    ("enter", ""): (Saying(ATTENDED, GATHERINGS),),
    ("explore", ""): (Saying(VISITED, SPOTS | words("city town coast island village neighborhood")),),
    ("participate", "in"): (Saying(ATTENDED, free=True),),
    ("compete", "in"): (Saying(ATTENDED, free=True),),
    ("apply", "to"): (Saying(Sense("applied_for", event=True), free=True),),
    ("perform", "at"): (Saying(Sense("performed_at", event=True), GATHERINGS),),
    ("perform", "in"): (Saying(Sense("performed_at", event=True), GATHERINGS),),
    ("speak", "at"): (Saying(Sense("spoke_at", event=True), GATHERINGS | words("school shelter hospital")),),
    ("run", ""): (
        Saying(ATTENDED, words("marathon race triathlon 5k 10k half-marathon")),
        Saying(Sense("runs"), FIRMS),
    ),
    ("take", ""): (
        Saying(ATTENDED, words("class course lesson lessons classes workshop seminar")),
        Saying(WENT, OUTINGS - {"walk", "ride"}),
    ),
    ("go", "on"): (Saying(WENT, OUTINGS),),
    ("travel", "to"): (Saying(VISITED, SPOTS),),
    ("join", ""): (Saying(JOINED, GROUPS), Saying(ATTENDED, GATHERINGS)),
    ("sign_up", "for"): (Saying(Sense("signed_up_for", event=True), free=True),),
    ("enroll", "in"): (Saying(Sense("signed_up_for", event=True), free=True),),
    ("enrol", "in"): (Saying(Sense("signed_up_for", event=True), free=True),),
    ("volunteer", "at"): (Saying(Sense("volunteers_at"), free=True),),
    ("volunteer", "for"): (Saying(Sense("volunteers_at"), free=True),),
    ("volunteer", "with"): (Saying(Sense("volunteers_at"), free=True),),
    ("grow_up", "in"): (Saying(Sense("grew_up_in"), free=True),),
    ("read", ""): (Saying(HAS_READ, BOOKS, told=True),),
    ("finish", ""): (Saying(FINISHED, BOOKS | UNDERTAKINGS | words("degree marathon course school college")),),
    ("finish_up", ""): (Saying(FINISHED, UNDERTAKINGS),),
    ("start", ""): (Saying(STARTED, FIRMS | UNDERTAKINGS | words("course class school college degree diet")),),
    ("launch", ""): (Saying(STARTED, FIRMS | UNDERTAKINGS),),
    ("open", ""): (Saying(STARTED, FIRMS),),
    ("paint", ""): (Saying(CREATED, free=True),),
    ("draw", ""): (Saying(CREATED, free=True),),
    ("bake", ""): (Saying(CREATED, free=True),),
    ("cook", ""): (Saying(CREATED, DISHES | words("dinner")),),
    ("knit", ""): (Saying(CREATED, free=True),),
    ("sew", ""): (Saying(CREATED, free=True),),
    ("sculpt", ""): (Saying(CREATED, free=True),),
    ("make", ""): (Saying(CREATED, WORKS_OF_ART | DISHES),),
    ("write", ""): (Saying(Sense("wrote", event=True), words("song poem book novel story article script screenplay")),),
    ("organize", ""): (Saying(ORGANISED, ARRANGED),),
    ("organise", ""): (Saying(ORGANISED, ARRANGED),),
    ("plan", ""): (Saying(Sense("plans"), free=True),),
    ("want", ""): (Saying(Sense("wants"), free=True),),
    ("run", "for"): (Saying(Sense("runs_for"), words("office mayor president council parliament senate board")),),
    ("train", "for"): (Saying(Sense("trains_for"), free=True),),
    ("look", "for"): (Saying(Sense("looks_for"), words("job apartment house roommate flat gym studio therapist")),),
    ("apply", "for"): (Saying(Sense("applied_for", event=True), free=True),),
    ("work", "at"): (Saying(Sense("works_for"), WORKPLACES),),
    ("work", "in"): (Saying(Sense("works_for"), WORKPLACES),),
    ("host", ""): (Saying(ORGANISED, GATHERINGS),),
    **{(verb, ""): (Saying(CREATED, WORKS_OF_ART | BUILT),) for verb in ("build", "create", "design", "develop")},
    ("donate", ""): (Saying(Sense("donated", event=True), free=True),),
    ("collect", ""): (Saying(Sense("collects"), free=True),),
    ("teach", ""): (
        Saying(Sense("teaches"), ACTIVITIES | words("class classes math maths english music art history")),
    ),
    ("coach", ""): (Saying(Sense("coaches"), words("team soccer football basketball baseball softball volleyball")),),
    ("work", "on"): (Saying(Sense("works_on"), UNDERTAKINGS, told=True),),
    ("practice", ""): (Saying(HOBBY, ACTIVITIES),),
    ("practise", ""): (Saying(HOBBY, ACTIVITIES),),
    ("do", ""): (Saying(HOBBY, ACTIVITIES),),
    ("take_up", ""): (Saying(HOBBY, ACTIVITIES | TONGUES),),
    ("try", ""): (Saying(Sense("tried", event=True), ACTIVITIES),),
    ("try_out", ""): (Saying(Sense("tried", event=True), ACTIVITIES),),
    ("get", ""): (
        Saying(HAS_PET, PETS),
        Saying(Sense("owns"), BELONGINGS | GEAR),
        Saying(Sense("received", event=True), words("promotion raise scholarship diploma degree award medal trophy")),
    ),
    ("adopt", ""): (Saying(HAS_PET, PETS),),
    ("lose", ""): (Saying(Sense("lost", event=True), LOSSES),),
    ("pass", ""): (Saying(Sense("passed", event=True), EXAMS),),
    ("win", ""): (Saying(Sense("won", event=True), GATHERINGS | words("prize award trophy medal place scholarship")),),
    ("promoted", "to"): (Saying(Sense("works_as", Intent.UPDATE), free=True),),
    ("obsessed", "with"): (Saying(Sense("likes", kind="preference"), free=True),),
    ("major", "in"): (Saying(Sense("studies"), free=True),),
    **{(verb, ""): (Saying(INJURED, PARTS),) for verb in HURTING},
}
VAGUE = words(
    "anything bit break care chance change couple day deal difference effort event experience feeling fun goal idea "
    "job kind life look lot love moment one ones part people person photo pic picture place plan point progress "
    "reason result rest shot sort stuff support team thing things time times topic turn type way week work world year "
    "opportunity journey step steps lots process something space spot surprise while cause stand line attention "
    "conclusion inspiration strength more game games food other others everyone number top best favorite favorites"
)


def saying_of(lemma: str, preposition: str, noun: str, plain: str, *, told: bool = False) -> Sense | None:
    """What a verb says of a common noun in talk, by the noun's lemma or the word as it stands.

    >>> saying_of("go", "to", "concert", "concert").predicate, saying_of("go", "to", "extreme", "extremes")
    ('attended', None)
    """
    for saying in SAYINGS.get((lemma, preposition), ()):
        listed = noun in saying.nouns or plain in saying.nouns or (saying.free and noun not in VAGUE)
        if listed and (told or not saying.told):
            return saying.sense
    return None


# what "be" says with an adjective or a preposition: "I am into jazz", "she is good at chess"
TIES: Mapping[tuple[str, str], Sense] = {
    ("obsessed", "with"): Sense("likes", kind="preference"),
    ("passionate", "about"): Sense("likes", kind="preference"),
    ("crazy", "about"): Sense("likes", kind="preference"),
    ("fond", "of"): Sense("likes", kind="preference"),
    ("interested", "in"): Sense("likes", kind="preference"),
    ("hooked", "on"): Sense("likes", kind="preference"),
    ("afraid", "of"): Sense("fears"),
    ("scared", "of"): Sense("fears"),
    ("terrified", "of"): Sense("fears"),
    ("good", "at"): Sense("skilled_in"),
    ("great", "at"): Sense("skilled_in"),
    ("", "into"): Sense("likes", kind="preference"),
}
MARITAL = words("single married divorced widowed engaged")
CONDITIONS = words(
    "asthma diabetes anxiety depression migraine migraines arthritis adhd insomnia eczema epilepsy dyslexia anemia "
    "hypertension fibromyalgia endometriosis ptsd"
)
# close kin, of whom there is one, or who are spoken of as if: the word under which an unnamed one is known
CLOSE = {
    **{word: word for word in words("sister brother wife husband son daughter mother father grandmother grandfather")},
    **{word: word for word in words("girlfriend boyfriend partner fiancé fiancée aunt uncle")},
    **dict.fromkeys(words("mom mum mama mommy"), "mother"),
    **dict.fromkeys(words("dad daddy papa"), "father"),
    **dict.fromkeys(words("grandma granny nana"), "grandmother"),
    **dict.fromkeys(words("grandpa granddad"), "grandfather"),
    **{"fiance": "fiancé", "fiancee": "fiancée", "hubby": "husband"},
    **dict.fromkeys(words("kids children"), "children"),
    **dict.fromkeys(words("parents folks"), "parents"),
}
UNNAMED = re.compile(rf".+'s (?:{'|'.join(sorted(set(CLOSE.values())))})")
WED = {"wife": "married", "husband": "married", "fiancé": "engaged", "fiancée": "engaged"}
PAIRS = ("partner", "girlfriend", "boyfriend", *WED)  # of whom there is one at a time: no unnamed one may be a rival
RELATIONS = {word: KIN[word] for word in set(CLOSE.values()) & KIN.keys() if word not in PAIRS} | {
    "children": "child_of",
    "parents": "parent_of",
}
FORMER = words("old late former ex first next future dream childhood new previous other favorite favourite")
COUNTED = {
    **dict.fromkeys(words("child kid"), "number_of_children"),
    **{"son": "number_of_sons", "daughter": "number_of_daughters"},
    **{"brother": "number_of_brothers", "sister": "number_of_sisters", "sibling": "number_of_siblings"},
}


def kin_name(speaker: str, word: str) -> str:
    """Under which name somebody is known whom nobody has named yet.

    >>> kin_name("Ana", "sister"), is_kin_name("Ana's sister"), is_kin_name("Maria")
    ("Ana's sister", True, False)
    """
    return f"{speaker}'s {word}"


def is_kin_name(name: str) -> bool:
    """Whether a name says only whose kin somebody is."""
    return bool(UNNAMED.fullmatch(name))


ANSWERING = words("answer reply respond write speak call address translate format explain summarize summarise use cite")
IRONY = (
    r"\byeah,? right\b|\bas if\b|(?:^|\s)/s\b|\bnot!|\bjust (?:love|adore|enjoy) (?:it when|how|being|having|getting)\b"
    r"|\boh,? (?:great|joy|wonderful)\b|\bso-called\b|\bsaid no one\b"
)
