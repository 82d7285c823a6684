"""Surrogates for telephone and fax numbers: numbers nobody has, in the layout of the original."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from innominate.conceal.data_files import read_data
from innominate.conceal.guard import Guard
from innominate.conceal.likeness import other_characters
from innominate.conceal.scope import Scope
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
            written = _written(body, prefix + drawn)
            if extension:
                written += other_characters(extension[0], self.scope.rng("phones", "extension", extension[0]))
                written = written[: len(body)] + _written(extension[0], written[len(body) :])
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


def _written(layout: str, digits: str) -> str:
    """Write digits into the places of the digits of a layout."""
    pending = iter([character for character in digits if character.isdigit()])
    return "".join([next(pending, "0") if character.isdigit() else character for character in layout])


def _patterns(country: str, national: str, *, international: bool) -> list[str]:
    """The ranges with as many digits; abroad the trunk zero is left out, or stands in brackets."""
    plan = _plans().get(country)
    if plan is None or not national:
        return []
    trunk = plan["trunk"]
    bare = national[len(trunk) :] if trunk and national.startswith(trunk) else national
    has_trunk = len(bare) < len(national)
    mobile = bare.startswith(tuple(_mobile().get(country, "-").split()))
    ranges = plan["mobile"] if mobile and plan["mobile"] else plan["fixed"]
    wanted = len(bare)
    fitting = [pattern[len(trunk) :] for pattern in ranges if len(pattern) - len(trunk) == wanted]
    return [(trunk if has_trunk else "") + pattern for pattern in fitting]


@cache
def _data() -> Mapping[str, Any]:
    return read_data("numbers.toml")


@cache
def _plans() -> Mapping[str, Mapping[str, Any]]:
    return {code: plan for code, plan in _data().items() if code.isdigit()}


@cache
def _mobile() -> Mapping[str, str]:
    return dict(_data()["is_mobile"])
