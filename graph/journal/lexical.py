"""Words: what of a text goes into the full-text index, and what a question becomes there.

Chinese, Japanese and Korean have no spaces that a tokenizer could use, so runs of their characters are indexed as
overlapping pairs in a column of their own, `grams`; all other words are in `text`. The last character of a run also
stands alone, so that a single character is found wherever it is, as the beginning of a pair or at the end.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

STOP_WORDS = """
    a an the is are was were be been being do does did doing done what when where who whom whose which why how of to in
    on at for with and or by from has have had having s it that this as would could should will can may might must
    shall her his its him them he she they you your yours my mine me i we us our ours not no if about into than then
    there these those so such some any many much more most other just also up out over their theirs d t re ll ve m
    don doesn didn isn aren wasn weren please tell get gets got getting go goes going went gone come came coming like
    likes kind sort type thing things
"""
STOP = frozenset(STOP_WORDS.split())
MOST_TERMS = 512  # of one question; what comes after is not looked for

KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
HANGUL = "\uac00-\ud7a3"
RUN = re.compile(f"[{KANA}{HAN}{HANGUL}]+")
# words that carry nothing: what asks, and the particles that stand between words. A particle that could as well be
# part of a word is one only behind a character that its own script does not go on from
ASKING = re.compile(
    f"""为什么|為什麼|什么|甚么|什麼|怎么样|怎么|怎麼樣|怎麼|怎样|怎樣|在哪里|在哪裡|在哪儿|哪里|哪裡|哪儿|哪些|哪个|哪個
    |多少|几个|幾個|谁|誰|吗|嗎|呢|吧|是不是|有没有|有沒有|是|的
    |何ですか|どこ|どれ|どの|どんな|どう|だれ|いつ|なぜ|どうして|いくつ|いくら|なに|なん|何
    |ですか|でしたか|ますか|ましたか|です|でした|ます|ました
    |(?<=[{HAN}\u30a1-\u30ff])[はがをにでのとも](?![らりるれろっ])
    |무엇|뭐|어디|누구|언제|왜|어떻게|얼마|몇|입니까|인가요|습니까
    |(?<=[{HANGUL}]{{2}})(?:에서|으로|은|는|이|가|을|를|에|의|도|와|과|로)(?![{HANGUL}])""",
    re.VERBOSE,
)
LETTERS = frozenset("LNM")  # letters, numbers, and the marks that belong to them


def indexed(text: str) -> tuple[str, str]:
    """The two columns of a text: words, and the pairs of its runs without spaces.

    >>> indexed("I drink 煎茶 daily")
    ('I drink   daily', '煎茶 茶')
    """
    folded = normal(text)
    grams = (gram for run in RUN.findall(folded) for gram in (*pairs(run), run[-1]))
    return RUN.sub(" ", folded), " ".join(grams)


def expression(question: str) -> str | None:
    """The FTS5 expression of a question, None when there is nothing to look for.

    Every character is text, none an operator. A compound (`0.11.3`, `a@b.co`) is looked for as a phrase and by its
    parts.

    >>> expression("Where is the wifi-password?")
    'text : ("wifi password" OR "wifi" OR "password")'
    >>> expression("茶 0.11.3")
    'text : ("0 11 3" OR "0" OR "11" OR "3") OR grams : ("茶" *)'
    >>> expression("???") is None
    True
    """
    folded = normal(question)
    words = list(dict.fromkeys(terms(RUN.sub(" ", folded))))[:MOST_TERMS]
    grams = list(dict.fromkeys(run_terms(carrying(folded))))[:MOST_TERMS]
    columns = [f"{name} : ({' OR '.join(found)})" for name, found in (("text", words), ("grams", grams)) if found]
    return " OR ".join(columns) or None


def normal(text: str) -> str:
    """One form for what looks alike (full-width digits, composed accents), and nothing FTS5 would stop at."""
    return unicodedata.normalize("NFKC", text.replace("\0", " "))


def terms(text: str) -> Iterator[str]:
    """Quoted words and phrases; stop words are left out unless there is nothing else."""
    chunks = [split(chunk) for chunk in text.lower().split()]
    only_stops = all(word in STOP for parts in chunks for word in parts)
    for parts in chunks:
        kept = [word for word in parts if only_stops or word not in STOP]
        if len(parts) > 1 and kept:
            yield f'"{" ".join(parts)}"'
        for word in kept:
            yield f'"{word}"'


def split(chunk: str) -> list[str]:
    """The words of a chunk, by whatever is neither letter, number nor mark.

    >>> split("user_id"), split("c++"), split("rtx4090!")
    (['user', 'id'], ['c'], ['rtx4090'])
    """
    spaced = "".join(char if unicodedata.category(char)[0] in LETTERS else " " for char in chunk)
    return spaced.split()


def carrying(text: str) -> str:
    """A question without what only asks, in the scripts that have no spaces; whole where nothing else is left.

    >>> carrying("密码是什么?"), carrying("東京の猫はどこですか"), carrying("妹妹住在哪里"), carrying("谁?")
    ('密码  ?', '東京 猫   ', '妹妹住 ', '谁?')
    """
    left = ASKING.sub(" ", text)
    return left if RUN.search(left) or not RUN.search(text) else text


def run_terms(text: str) -> Iterator[str]:
    """Quoted pairs of the runs without spaces; a single character is looked for as a beginning."""
    for run in RUN.findall(text):
        yield from (f'"{pair}"' for pair in pairs(run)) if len(run) > 1 else (f'"{run}" *',)


def pairs(run: str) -> list[str]:
    """The overlapping pairs of characters of a run.

    >>> pairs("喝煎茶")
    ['喝煎', '煎茶']
    """
    return [first + second for first, second in pairwise(run)]
