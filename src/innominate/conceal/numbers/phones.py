"""Surrogates for telephone and fax numbers: numbers nobody has, in the layout of the original."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from innominate.conceal.guard import Guard
from innominate.conceal.likeness import other_characters, write_into
from innominate.conceal.scope import Scope
from innominate.conceal.vocabulary import read_data
from innominate.languages import load_language
from innominate.surrogates.weighted import fill

_EXTENSION = re.compile(r"(?i)\s*(?:x|ext\.?|poste|int\.?|ankn\.?|anknytning)\s*\d+\W*\Z")
_TRIES = 12


@dataclass(slots=True)
class PhoneSurrogates:
    """Gives telephone numbers their surrogates."""

    scope: Scope
    lang: str
    guard: Guard

    def surrogate_of(self, text: str) -> str:
        """The surrogate of a number; the layout, the prefix of the country and a mobile number's being one stay."""
        extension = _EXTENSION.search(text)
        body = text[: extension.start()] if extension else text
        digits = "".join([character for character in body if character.isdigit()])
        prefix, country = self._country(body, digits)
        national = digits[len(prefix) :]
        turn = self.scope.turn(f"phone {national.lstrip('0')}")
        rng = self.scope.rng("phones", country, national.lstrip("0"), turn)
        patterns = _patterns(country, national, international=bool(prefix))
        for _ in range(_TRIES):
            if patterns:
                drawn = fill(patterns[int(rng.random() * len(patterns))], rng)[-len(national) :]
            else:
                drawn = other_characters(national, rng)
            written = write_into(body, prefix + drawn)
            if extension:
                other = other_characters(extension[0], self.scope.rng("phones", "extension", extension[0]))
                written += write_into(extension[0], "".join(filter(str.isdigit, other)))
            if drawn != national and self.guard.allows(written):
                return written
        return written

    def _country(self, text: str, digits: str) -> tuple[str, str]:
        """The digits of the international prefix, and the code of the country."""
        international = text.lstrip(" (").startswith("+") or digits.startswith("00")
        lead = "00" if digits.startswith("00") and not text.lstrip(" (").startswith("+") else ""
        if international:
            for code in sorted(_plans(), key=len, reverse=True):
                if digits[len(lead) :].startswith(code):
                    return lead + code, code
            return digits[: len(lead) + 2], ""
        language = load_language(self.lang)
        lead = language.phone_lead
        dialled = bool(lead) and digits.startswith(lead) and len(digits) == len(lead) + language.phone_digits
        return lead if dialled else "", language.phone_code


def _patterns(country: str, national: str, *, international: bool) -> list[str]:
    """The ranges with as many digits; abroad the trunk zero is left out, or stands in brackets."""
    plan = _plans().get(country)
    if plan is None or not national:
        return []
    trunk = plan["trunk"]
    bare = national[len(trunk) :] if trunk and national.startswith(trunk) else national
    has_trunk = len(bare) < len(national)
    mobile = bare.startswith(tuple(plan["is_mobile"]))
    ranges = plan["mobile"] if mobile and plan["mobile"] else plan["fixed"]
    wanted = len(bare)
    fitting = [pattern[len(trunk) :] for pattern in ranges if len(pattern) - len(trunk) == wanted]
    return [(trunk if has_trunk else "") + pattern for pattern in fitting]


def _plans() -> Mapping[str, Mapping[str, Any]]:
    """Ranges that nobody has, by the code of a country."""
    return read_data("numbers.toml")
