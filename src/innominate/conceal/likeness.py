"""The form of a word: its case, its folded self, and the edit that turned it into a misspelling."""

from __future__ import annotations

from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from innominate.languages import load_language
from innominate.surrogates.weighted import Dice
from innominate.text.accents import fold_word, strip_accents

_VOWELS = "aeiouy"
_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_DIGITS = "0123456789"
_OWN_LETTERS = frozenset("ñÑçÇ")
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"  # of codes: no I, O and Q


def write_like(original: str, surrogate: str) -> str:
    """Write a surrogate in the case of the original.

    >>> write_like("ROCHAT", "Favre"), write_like("rochat", "Favre"), write_like("Rochat", "Favre")
    ('FAVRE', 'favre', 'Favre')
    """
    if original.islower():
        return surrogate.lower()
    if original.isupper() and len(original) > 1:
        return surrogate.upper()
    return surrogate


def write_into(layout: str, characters: str, is_place: Callable[[str], bool] = str.isdigit) -> str:
    """Write digits into the places of the digits of a layout, or other characters into theirs.

    >>> write_into("S-123 45", "98765"), write_into("756.1234.5678.97", "7569999999991", str.isalnum)
    ('S-987 65', '756.9999.9999.91')
    """
    pending = iter(characters)
    return "".join([next(pending, character) if is_place(character) else character for character in layout])


def without_accents(text: str) -> str:
    """Written by somebody who leaves accents out; letters of their own right stay.

    >>> without_accents("Peñíscola"), without_accents("Móstoles")
    ('Peñiscola', 'Mostoles')
    """
    return "".join([letter if letter in _OWN_LETTERS else strip_accents(letter) for letter in text])


def has_digit(text: str) -> bool:
    """Say whether a digit stands in a text.

    >>> has_digit("12B"), has_digit("Rochat")
    (True, False)
    """
    return not text.isalpha() and any(map(str.isdigit, text))


def begins_with_vowel(word: str) -> bool:
    """Say whether a French article before a word loses its vowel.

    >>> begins_with_vowel("Échallens"), begins_with_vowel("Nyon")
    (True, False)
    """
    return fold_word(word[:1]) in "aeiouh" if word else False


def misspell(right: str, wrong: str, surrogate: str, rng: Dice) -> str:
    """Make the mistake that turned `right` into `wrong` in the surrogate, at about the same place.

    >>> from random import Random
    >>> misspell("christiansen", "christainsen", "Bellancourt", Random(1))
    'Bellacnourt'
    >>> misspell("rochat", "rochta", "Nee", Random(1))
    'Nea'
    """
    letters = list(surrogate)
    swapped = _swap(right, wrong)
    if swapped is not None:
        place = _at(swapped, len(right) - 1, len(letters) - 1)
        for i in (*range(place, len(letters) - 1), *range(place)):
            if letters[i].lower() != letters[i + 1].lower() and i > 0:
                letters[i], letters[i + 1] = letters[i + 1], letters[i]
                return "".join(letters)
        letters[-1] = other_letter(letters[-1], rng)  # `Nee`: no two letters that could change places
        return "".join(letters)
    for kind, where, _ in reversed(Levenshtein.editops(right, wrong).as_list()):
        place = max(1, _at(int(where), len(right), len(letters))) if len(letters) > 1 else 0
        place = min(place, len(letters) - 1)
        if kind == "delete" and len(letters) > 2:
            del letters[place]
        elif kind == "insert":
            letters.insert(place, letters[place].lower())  # the most common slip: a letter twice
        else:
            letters[place] = other_letter(letters[place], rng)
    return "".join(letters)


def _swap(right: str, wrong: str) -> int | None:
    """Where two neighbouring letters changed places, if that is all that happened."""
    if len(right) != len(wrong):
        return None
    differ = [i for i in range(len(right)) if right[i] != wrong[i]]
    if len(differ) == 2 and differ[1] == differ[0] + 1:
        i, j = differ
        return i if right[i] == wrong[j] and right[j] == wrong[i] else None
    return None


def _at(place: int, of: int, length: int) -> int:
    return min(length - 1, round(place * length / max(1, of)))


def ordinal_ending(old: str, number: int, lang: str) -> str:
    """What a number ends in where another ended otherwise; as it was in languages that do not tell.

    >>> ordinal_ending("th", 22, "en"), ordinal_ending(":a", 3, "sv"), ordinal_ending("e", 22, "fr")
    ('nd', ':e', 'e')
    """
    ordinals = load_language(lang).ordinals
    if not ordinals.other:
        return old
    ending = ordinals.ending(number)
    return old[: -len(ordinals.other)] + (ending.upper() if old.isupper() else ending)


def other_letter(letter: str, rng: Dice) -> str:
    """Another letter of the same sort, in the same case.

    >>> from random import Random
    >>> other_letter("A", Random(2)) in "EIOUY"
    True
    """
    form = fold_word(letter)
    choices = (_VOWELS if form in _VOWELS else _CONSONANTS).replace(form, "")
    chosen = choices[int(rng.random() * len(choices))]
    return chosen.upper() if letter.isupper() else chosen


def other_characters(text: str, rng: Dice) -> str:
    """Digits become digits, letters become letters of the same case; leading zeros and everything else stay.

    >>> from random import Random
    >>> other_characters("A0-12x", Random(1))
    'D0-87f'
    """
    random = rng.random
    parts: list[str] = []
    leading = True
    for character in text:
        if character.isdigit():
            if not leading:
                character = _DIGITS[int(random() * 10)]
            elif character != "0":
                character = _DIGITS[1 + int(random() * 9)]
                leading = False
        elif character.isalpha() and character not in "ºª":  # 3º is a number, not a word
            letter = _LETTERS[int(random() * len(_LETTERS))]
            character = letter if character.isupper() else letter.lower()
        parts.append(character)
    return "".join(parts)
