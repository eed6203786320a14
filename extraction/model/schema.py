"""What a model is asked to answer: entities and claims, in one pydantic schema."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

TYPES = (
    "person", "place", "organisation", "date", "event", "product", "work", "language", "group", "quantity", "thing",
)  # fmt: skip  # the types of `Mention`
SPELLED = {"organization": "organisation", "company": "organisation", "location": "place", "city": "place",
           "country": "place", "human": "person", "number": "quantity", "time": "date"}  # fmt: skip
SURE = {"high": 0.9, "medium": 0.75, "low": 0.4}


def _word(given: Any) -> Any:
    return given.strip().casefold() if isinstance(given, str) else given


def _type(given: Any) -> Any:
    """A type of the list; what is not on it is a thing."""
    word = SPELLED.get(_word(given), _word(given)) if isinstance(given, str) else given
    return word if word in TYPES else "thing"


def _sure(given: Any) -> Any:
    """A number from 0 to 1; small models say "high", or 90."""
    if isinstance(given, str):
        return SURE.get(_word(given), given)
    percent = isinstance(given, int | float) and not isinstance(given, bool) and 1 < given <= 100
    return given / 100 if percent else given


def _listed(given: Any) -> Any:
    return [] if given is None else given


def _blank(given: Any) -> Any:
    """What a model writes for "nothing" is nothing."""
    return None if isinstance(given, str) and _word(given) in ("", "null", "none", "unknown", "n/a") else given


Type = Annotated[str, BeforeValidator(_type)]
Text = Annotated[str, Field(min_length=1)]
Words = Annotated[str | None, BeforeValidator(_blank)]
Scalar = str | bool | int | float


class ReadEntity(BaseModel):
    """A person, place or thing that the text names."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    name: Annotated[Text, Field(description="The fullest name the text gives it, as written.")]
    type: Annotated[Type, Field(description="One of: " + ", ".join(TYPES))] = "thing"
    aliases: Annotated[list[str], BeforeValidator(_listed), Field(description="Other names in the text.")] = []


class ReadClaim(BaseModel):
    """One statement of the text."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    subject: Annotated[Text, Field(description='Who or what it is about; "I" for the speaker.')]
    predicate: Annotated[Text, Field(description="From the list if one fits, else a few_words_like_this.")]
    value: Annotated[Scalar, Field(description="What is said of the subject: a name, a text, a number, true or false.")]
    quote: Annotated[Text, Field(description="The words of the text it rests on, copied letter for letter.")]
    polarity: Annotated[Literal["holds", "not"], BeforeValidator(_word)] = "holds"
    mood: Annotated[Literal["asserted", "planned", "possible", "conditional"], BeforeValidator(_word)] = "asserted"
    kind: Annotated[Literal["fact", "preference", "decision", "task", "instruction"], BeforeValidator(_word)] = "fact"
    intent: Annotated[
        Literal["state", "update", "end"],
        BeforeValidator(_word),
        Field(description="update: it replaces what was so before; end: it is no longer so."),
    ] = "state"
    tense: Annotated[Literal["past", "present", "future"], BeforeValidator(_word)] = "present"
    when: Annotated[Words, Field(description='The words that say when it holds, as written: "since May 2019".')] = None
    confidence: Annotated[float, BeforeValidator(_sure), Field(ge=0, le=1)] = 0.8
    said: Annotated[bool, Field(description="false if the text does not say it and you conclude it.")] = True
    said_by: Annotated[Words, Field(description="Who says it, where the text reports somebody else's words.")] = None


class Answer(BaseModel):
    """Everything that the text says. Both lists may be empty."""

    model_config = ConfigDict(extra="ignore")

    # without a default: an answer that is no answer (a schema sent back, an apology) must not pass for "no claims"
    claims: list[ReadClaim]
    entities: Annotated[list[ReadEntity], BeforeValidator(_listed)] = []
