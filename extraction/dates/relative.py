"""The rules for phrases that lean on a reference, tried in order; each a pattern and what it means."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from hornbook.extraction.dates import periods
from hornbook.extraction.dates.absolute import edge
from hornbook.extraction.dates.words import (
    HOLIDAYS,
    MONTHS,
    NUMBERS,
    ROUGH_COUNTS,
    SEASONS,
    STEPS,
    WEEKDAYS,
    any_of,
    count_of,
)
from hornbook.graph.clock import as_datetime, microseconds
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import Interval

UNIT = r"(?P<unit>second|minute|hour|day|week|fortnight|weekend|month|year|decade)s?"
N = rf"(?P<n>\d{{1,4}}|{any_of(NUMBERS)})"
ROUGH = rf"(?P<rough>{any_of(ROUGH_COUNTS)})"
WEEKDAY = rf"(?P<weekday>{any_of(WEEKDAYS)})s?"
MONTH = rf"(?P<month>{any_of(MONTHS)})"
SEASON = rf"(?P<season>{any_of(SEASONS)})"
WHICH = rf"(?:the )?(?P<which>{any_of(STEPS)})"
DAY_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
PART = r"(?:'s)?(?: early| late)?(?: (?:morning|afternoon|evening|night))?"
ON = r"(?:on |in |during |over |at |around |for |just |early |late )?"
ABOUT = r"(?:about |around |over |almost |nearly |roughly |some )?"
CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))? ?(?P<half>am|pm)?"

Inner = Callable[..., Interval | None]  # resolves a part of the phrase, against another reference if one is given
Rule = Callable[[re.Match[str], Moment, bool, Inner], Interval | None]

DAY_WORDS = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "last night": -1, "the other day": None}
DAY_WORDS |= {"the day before yesterday": -2, "the day after tomorrow": 2, "day before yesterday": -2}
DAY_WORDS |= {f"this {part}": 0 for part in ("morning", "afternoon", "evening")}


def day_word(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Yesterday, last night, this morning: a day; the part of it is not a time."""
    step = DAY_WORDS[m["word"]]
    return None if step is None else periods.shifted(at, step, "day")


def counted(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Three weeks ago, in two days."""
    sign = -1 if m["way"] in ("ago", "back", "earlier") else 1
    return periods.shifted(at, sign * count_of(m["n"]), m["unit"])


def ahead(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """In three weeks."""
    return periods.shifted(at, count_of(m["n"]), m["unit"])


def and_a_half(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """A year and a half ago is a month, an hour and a half ago a minute."""
    finer, per = {"year": ("month", 12), "hour": ("minute", 60), "day": ("hour", 24)}.get(
        m["unit"] or m["one"], ("", 0)
    )
    return periods.shifted(at, -(per * count_of(m["n"]) + per // 2), finer) if finer else None


def rough(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """A few months ago: the stretch it can mean, with little confidence."""
    low, high = ROUGH_COUNTS[m["rough"]]
    first, last = (-high, -low) if m["way"] else (low, high)
    begin, end = (periods.shifted(at, n, m["unit"]) for n in (first, last))
    return Interval(begin.start, after(end), periods.ROUGH)


def half(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Half an hour ago, in half an hour."""
    minutes = {"hour": 30, "day": 720}[m["unit"]]
    return periods.shifted(at, -minutes if m["way"] else minutes, "minute")


def half_year(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Half a year ago."""
    return periods.shifted(at, -6 if m["way"] else 6, "month")


def after(interval: Interval) -> Moment | None:
    """The first moment after it."""
    return Moment(interval.until, interval.end.granularity) if interval.end else None


def span_back(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """In the last two years: from then up to the reference."""
    return Interval(periods.shifted(at, -count_of(m["n"]), m["unit"]).start, at, 0.8)


def span_ahead(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Within three weeks: from the reference to then."""
    return Interval(at, after(periods.shifted(at, count_of(m["n"]), m["unit"])), 0.8)


def still(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """For the past three years: since then, with no end."""
    return Interval(periods.shifted(at, -count_of(m["n"]), m["unit"]).start, None, 0.8)


def which_unit(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Last week, this year, next month."""
    if m["unit"] in ("second", "minute", "hour", "decade", "day"):
        return None
    return periods.shifted(at, STEPS[m["which"]], m["unit"])


def which_weekday(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Last Friday, this Friday, next Friday, the coming Friday."""
    day, weekday, which = periods.day_of(at), WEEKDAYS[m["weekday"]], m["which"]
    if STEPS[which] < 0:
        return periods.a_day(periods.latest_weekday(day, weekday))
    if which in ("coming", "this coming", "upcoming", "following"):
        return periods.a_day(periods.next_weekday(day, weekday))
    return periods.a_day(periods.monday(day) + timedelta(days=weekday + 7 * STEPS[which]))


def weekday_of_week(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Friday of last week."""
    week = periods.monday(periods.day_of(at)) + timedelta(weeks=STEPS[m["which"]])
    return periods.a_day(week + timedelta(days=WEEKDAYS[m["weekday"]]))


def bare_weekday(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """On Friday: the latest one, or the coming one."""
    pick = periods.next_weekday if future else periods.latest_weekday
    return periods.a_day(pick(periods.day_of(at), WEEKDAYS[m["weekday"]]))


def which_month(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Last May, this May, next May: the nearest over, of this year, the nearest to come."""
    day, month, step = periods.day_of(at), MONTHS[m["month"]], STEPS[m["which"]]
    year = day.year - (month >= day.month) if step < 0 else day.year + (step > 0 and month <= day.month)
    return periods.a_month(year, month)


def bare_month(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """In May: the latest one, or the coming one."""
    day, month = periods.day_of(at), MONTHS[m["month"]]
    return periods.a_month(day.year + ((month < day.month) if future else -(month > day.month)), month)


def month_of_year(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """May last year."""
    return periods.a_month(periods.day_of(at).year + STEPS[m["which"]], MONTHS[m["month"]])


def month_day(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """June 3rd, the 3rd of June."""
    return nearest_date(MONTHS[m["month"]], int(m["day"]), at, future)


def nearest_date(month: int, number: int, at: Moment, future: bool) -> Interval:
    """The latest such day up to the reference, or the first from it on."""
    day = periods.day_of(at)
    year = day.year
    if future and (month, number) < (day.month, day.day):
        year += 1
    if not future and (month, number) > (day.month, day.day):
        year -= 1
    return periods.a_day(date(year, month, number))


def nth(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """On the 5th."""
    day, number = periods.day_of(at), int(m["day"])
    step = (number < day.day) if future else -(number > day.day)
    return periods.a_day(periods.month_start(day.year, day.month + step).replace(day=number))


def which_season(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Last summer: the latest that is over; this one: of this year; next: the first not yet begun."""
    day, first, step = periods.day_of(at), SEASONS[m["season"]], STEPS[m["which"]]
    years = (day.year, day.year - 1, day.year - 2) if step < 0 else (day.year - 1, day.year, day.year + 1)
    if step == 0:
        return periods.months(day.year, first, 3)
    over = [y for y in years if periods.month_start(y, first + 3) <= day]
    begins = [y for y in years if periods.month_start(y, first) > day]
    return periods.months(over[0] if step < 0 else begins[0], first, 3)


def bare_season(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """In the summer: the latest that has begun, or the first that is not over."""
    day, first = periods.day_of(at), SEASONS[m["season"]]
    if future:
        return periods.months(day.year + (periods.month_start(day.year, first + 3) <= day), first, 3)
    return periods.months(day.year - (periods.month_start(day.year, first) > day), first, 3)


def at_the_edge(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """The end of the month, the beginning of last year."""
    whole = m["whole"]
    found = inner(whole) or inner("this " + whole.removeprefix("the "))
    return edge(m["edge"], found) if found else None


def within(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Early last year, later this month: the coarse period is all that is kept."""
    return inner(m["whole"])


def beside(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """The week before 9 June 2023: seven days up to it. The Friday after it: the next one."""
    anchor = inner(m["anchor"])
    if anchor is None or anchor.start is None or anchor.end is None:
        return None
    begin, end = periods.day_of(anchor.start), periods.day_of(Moment(anchor.until))
    before = m["side"] in ("before", "preceding", "prior to")
    if weekday := m["weekday"]:
        found = (
            periods.latest_weekday(begin, WEEKDAYS[weekday])
            if before
            else end + timedelta(days=(WEEKDAYS[weekday] - end.weekday()) % 7)
        )
        return periods.a_day(found)
    return _unit_beside(m["unit"], begin, end, before)


def _unit_beside(unit: str, begin: date, end: date, before: bool) -> Interval | None:
    if unit == "day":
        return periods.a_day(begin - timedelta(days=1) if before else end)
    if unit == "week":
        return periods.days(begin - timedelta(days=7), begin) if before else periods.days(end, end + timedelta(days=7))
    if unit == "weekend":
        return periods.a_weekend(
            periods.latest_weekday(begin, 5) if before else end + timedelta(days=(5 - end.weekday()) % 7)
        )
    return periods.shifted(periods.moment(begin), -1 if before else 1, unit) if unit in ("month", "year") else None


def counted_beside(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Two days before 9 June 2023."""
    anchor = inner(m["anchor"])
    if anchor is None or anchor.start is None or anchor.end is None:
        return None
    back = m["side"] in ("before", "prior to")
    return periods.shifted(anchor.start, -count_of(m["n"]) if back else count_of(m["n"]), m["unit"])


def week_of(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """The week of 5 May 2023."""
    anchor = inner(m["anchor"])
    if anchor is None or anchor.start is None or anchor.start.granularity is not Granularity.DAY:
        return None
    return periods.a_week(periods.day_of(anchor.start))


def at_the_clock(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """Tomorrow at 5pm: an instant, in UTC like every time without a zone."""
    day = inner(m["date"])
    if day is None or day.start is None or day.start.granularity is not Granularity.DAY:
        return None
    hour, minute = int(m["hour"]), int(m["minute"] or 0)
    if not m["half"] and not m["minute"]:
        return None  # "at 5" may be a place or either half of the day
    hour = hour % 12 + 12 * (m["half"] == "pm") if m["half"] else hour
    if hour > 23 or minute > 59:
        return None
    return periods.whole(Moment(microseconds(as_datetime(day.start.at) + timedelta(hours=hour, minutes=minute))))


def holiday(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval:
    """Last Christmas, on New Year's Eve."""
    month, number = HOLIDAYS[m["holiday"]]
    step = STEPS[m["which"]] if m["which"] else None
    if step == 0:
        return periods.a_day(date(periods.day_of(at).year, month, number))
    return nearest_date(month, number, at, future if step is None else step > 0)


def in_months(m: re.Match[str], at: Moment, future: bool, inner: Inner) -> Interval | None:
    """In the spring of last year."""
    year = inner(m["anchor"])
    if year is None or year.start is None or year.start.granularity is not Granularity.YEAR or year.start != year.end:
        return None
    return periods.months(periods.day_of(year.start).year, SEASONS[m["season"]], 3)


SIDE = r"(?P<side>before|preceding|prior to|after|following)"
ANCHOR = r"(?P<anchor>.+)"
RULES: tuple[tuple[re.Pattern[str], Rule, bool], ...] = tuple(  # the last: whether it can do without a reference
    (re.compile(pattern), rule, free)
    for pattern, rule, free in (
        (rf"{ON}(?P<word>{any_of(DAY_WORDS)}){PART}", day_word, False),
        (rf"{ABOUT}{N} {UNIT} (?P<way>ago|back|earlier)", counted, False),
        (rf"{ABOUT}{N} {UNIT} (?P<way>from now|from today|hence)", counted, False),
        (rf"{N} (?:and a half {UNIT}|(?P<one>year|hour|day) and a half) ago", and_a_half, False),
        (rf"(?:just )?{ROUGH} {UNIT} (?P<way>ago|back)", rough, False),
        (rf"{ROUGH} {UNIT} from now(?P<way>)", rough, False),
        (rf"in {ROUGH} {UNIT}(?P<way>)", rough, False),
        (r"half an? (?P<unit>hour|day) (?P<way>ago)?", half, False),
        (r"in half an? (?P<unit>hour|day)(?P<way>)", half, False),
        (r"half a year (?P<way>ago)|in half a year", half_year, False),
        (rf"in {ABOUT}{N} {UNIT}(?:'s?)?(?: time)?", ahead, False),
        (rf"(?:in|during|over|within) the (?:last|past) {N} {UNIT}", span_back, False),
        (rf"(?:within|in the next|over the next|during the next) {N} {UNIT}", span_ahead, False),
        (rf"for (?:the )?(?:last|past) {N} {UNIT}", still, False),
        (rf"{ON}{WHICH} {UNIT}", which_unit, False),
        (rf"{ON}{WHICH} {WEEKDAY}{PART}", which_weekday, False),
        (rf"{ON}{WEEKDAY} (?:of )?{WHICH} week", weekday_of_week, False),
        (rf"{ON}{WEEKDAY}{PART}", bare_weekday, False),
        (rf"{ON}{WHICH} {MONTH}", which_month, False),
        (rf"{ON}{MONTH}", bare_month, False),
        (rf"{ON}{MONTH} (?:of )?{WHICH} year", month_of_year, False),
        (rf"{ON}(?:the )?(?:{WEEKDAY} )?(?:the )?{MONTH} {DAY_NUMBER}", month_day, False),
        (rf"{ON}(?:the )?(?:{WEEKDAY} )?(?:the )?{DAY_NUMBER}(?: of)? {MONTH}", month_day, False),
        (rf"{ON}the (?P<day>\d{{1,2}})(?:st|nd|rd|th)", nth, False),
        (rf"{ON}{WHICH} {SEASON}", which_season, False),
        (rf"(?:in|during|over) (?:the )?{SEASON}", bare_season, False),
        (rf"{ON}(?:the )?{SEASON} of {ANCHOR}", in_months, True),
        (rf"{ON}(?:the )?(?P<edge>end|beginning|start) of (?P<whole>.+)", at_the_edge, True),
        (r"(?:earlier|later|early|late|sometime) (?P<whole>(?:this|last|next) .+)", within, False),
        (rf"{ON}the week of {ANCHOR}", week_of, True),
        (rf"{N} {UNIT} (?P<side>before|prior to|after) {ANCHOR}", counted_beside, True),
        (rf"{ON}(?:the )?(?:(?P<unit>day|week|weekend|month|year)|{WEEKDAY}) {SIDE} {ANCHOR}", beside, True),
        (rf"(?P<date>.+?) (?:at|around) {CLOCK}", at_the_clock, True),
        (rf"{ON}(?:{WHICH} )?(?P<holiday>{any_of(HOLIDAYS)})", holiday, False),
    )
)  # fmt: skip
