"""An independent opinion on forms: it shares no code and no data with the package, only Babel's names."""

import re
import unicodedata
from datetime import date

from babel.dates import get_day_names, get_month_names

LOCALES = {"en": "en_US", "fr": "fr_CH", "sv": "sv_SE", "es": "es_ES"}
TOKEN = re.compile(r"\d+|[^\W\d_]+\.?|.", re.DOTALL)
ENDINGS = {"st", "nd", "rd", "th", "er", "e", "a"}


def plain(word):
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c)).rstrip(".")


def months(lang, width):
    found = get_month_names(width, locale=LOCALES[lang])
    return {plain(found[i]): i for i in range(1, 13)}


WIDE = {lang: months(lang, "wide") for lang in LOCALES}
SHORT = {lang: months(lang, "abbreviated") for lang in LOCALES}
DAYS = {
    lang: [{plain(d) for d in get_day_names(w, locale=LOCALES[lang]).values()} for w in ("wide", "abbreviated")]
    for lang in LOCALES
}


def case(word):
    return "upper" if word.isupper() and len(word) > 1 else "title" if word[0].isupper() else "lower"


def tokens(text, lang):
    """Numbers, words and single characters; the ending of a day goes with its number."""
    found = []
    for token in TOKEN.findall(text):
        if found and found[-1].isdigit() and plain(token) in ENDINGS and lang != "es":
            continue
        if (
            found
            and token in {":", "º"}
            and found[-1].isdigit()
            and lang in {"sv", "es"}
            and re.search(r"\d:[ea]", text.lower())
        ):
            continue
        found.append(token)
    return found


def same_shape(old, new, lang):
    """Whether two expressions are written alike: separators, number of digits, kind and case of names."""
    before, after = tokens(old, lang), tokens(new, lang)
    return len(before) == len(after) and all(same_token(a, b, lang) for a, b in zip(before, after, strict=True))


def same_token(old, new, lang):
    if old[0].isdigit():
        if not new.isdigit():
            return False
        if len(old) >= 3:
            return len(new) == len(old)
        if old[0] == "0":
            return len(new) == 2
        return len(old) == 2 or new[0] != "0"
    if any(plain(old) in days and plain(new) in days for days in DAYS[lang]) and case(old) == case(new):
        return True
    if plain(old) in WIDE[lang] or plain(old) in SHORT[lang]:
        return same_month(old, new, lang)
    return old == new


def same_month(old, new, lang):
    wide, short, word = WIDE[lang], SHORT[lang], plain(new)
    if (word not in wide and word not in short) or case(old) != case(new):
        return False
    if plain(old) in wide and plain(old) not in short:
        return word in wide
    if plain(old) in short and plain(old) not in wide:
        return word in short and (old.endswith(".") == new.endswith(".") or word in wide)
    return True


SHORT_YEAR = re.compile(r"(\d{1,2})[./-](\d{1,2})[./ -](\d\d)|(\d\d)(\d\d)(\d\d)")
NUMERIC = re.compile(r"(\d{1,2})[./#-](\d{1,2})[./#-](\d{4})")
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)|((?:19|20)\d\d)(\d\d)(\d\d)")
SLASH = re.compile(r"(\d{1,2})/(\d{1,2})[ -](\d{4})")
WORDS = re.compile(r"(\d{1,2})(?:er|:e)?(?: de |[ -])([^\W\d_]+)\.?(?: del? |[ -])(\d{4})", re.IGNORECASE)
MONTH_FIRST = re.compile(r"([^\W\d_]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.IGNORECASE)


def full_date(text, lang, near=None):
    """The day of a full date in one of the common forms, two digits of a year read near a day; None for any other text."""
    if found := SHORT_YEAR.fullmatch(text):
        numbers = [int(g) for g in found.groups() if g]
        day, month, year = (numbers[i] for i in ((1, 0, 2) if lang == "en" else (0, 1, 2)))
        if lang == "sv" and "/" not in text:
            year, month, day = numbers
        centuries = (year + 1900, year + 2000)
        year = min(centuries, key=lambda full: abs(full - (near.year if near else 1985)))
    elif found := ISO.fullmatch(text):
        year, month, day = (int(g) for g in found.groups() if g)
    elif found := NUMERIC.fullmatch(text) or SLASH.fullmatch(text):
        day, month, year = (int(g) for g in found.groups())
        if lang == "en":
            day, month = month, day
    elif found := WORDS.fullmatch(text):
        day, month, year = int(found[1]), named(found[2], lang), int(found[3])
    elif found := MONTH_FIRST.fullmatch(text):
        month, day, year = named(found[1], lang), int(found[2]), int(found[3])
    else:
        return None
    return date(year, month, day) if month else None


def named(word, lang):
    return WIDE[lang].get(plain(word)) or SHORT[lang].get(plain(word)) or 0
