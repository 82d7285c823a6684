"""Who shares surrogates with whom: the notes of a patient, one note, or nothing at all; and the language of a note."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import blake2b

from innominate.conceal.keys import Draws, Key, expand_secret
from innominate.core import Document, UsageError
from innominate.languages import language_codes
from innominate.surrogates.weighted import Dice
from innominate.text.language import recognise

MODES = ("patient", "document", "markov", "none")
REDRAW = 0.5  # the chance that a mention gets a new surrogate in the mode markov, as in BRATsynthetic
_GRAIN = 1_000_000
_STEADY = frozenset({"patient", "document"})


def scope_name(document: Document, mode: str, *, require_patient: bool = False) -> str:
    """What a document's surrogates depend on: its patient, or the document where it has none or the mode says so.

    >>> scope_name(Document("n1", "", meta={"patient": 7}), "patient"), scope_name(Document("n1", ""), "patient")
    ('patient:7', 'document:n1')
    """
    if mode not in MODES:
        raise UsageError(f"consistency {mode!r} is not known; choose one of: {', '.join(MODES)}")
    patient = document.patient()
    if require_patient and not patient:
        raise UsageError("the note has no patient id, and surrogates are to be consistent per patient")
    return f"patient:{patient}" if mode == "patient" and patient else f"document:{document.id}"


def patient_pseudonym(key: Key, patient: str) -> str:
    """What stands for a patient's id in the output: the same in notes and tables of one key, and no two patients share it.

    >>> key = Key(bytes(32))
    >>> patient_pseudonym(key, "7") == patient_pseudonym(key, " 7 ") != patient_pseudonym(key, "8")
    True
    """
    return f"P{key.digest('patient', patient.strip()) >> 192:016x}"


def note_pseudonym(key: Key, patient: str, id: str) -> str:
    """What stands for the id of a note, and for the name and the folders of its file.

    >>> key = Key(bytes(32))
    >>> note_pseudonym(key, "7", "ward 3/n1") == note_pseudonym(key, "7", "ward 3/n1") != note_pseudonym(key, "8", "ward 3/n1")
    True
    """
    return f"N{key.digest('note', patient.strip(), id) >> 192:016x}"


@dataclass(slots=True)
class Scope:
    """A key bound to a patient or a document, and the turns of its mentions.

    In the mode `markov` each mention of an original redraws with probability one half, so that the number of times a name
    occurs does not tell a leaked original from a surrogate (Osborne et al. 2022). In the mode `none` each mention redraws.
    """

    key: Key
    name: str
    mode: str = "patient"
    steady: bool = field(init=False)  # an original has one surrogate, whatever its turn
    _secret: blake2b = field(init=False, repr=False)
    _versions: dict[str, int] = field(default_factory=dict, repr=False)
    _mentions: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int), repr=False)

    def __post_init__(self) -> None:
        self._secret = self.key.secret_of(self.name)
        self.steady = self.mode in _STEADY

    def rng(self, *context: str) -> Dice:
        """A generator for a purpose and an original within this scope."""
        return Draws(expand_secret(self._secret, context))

    def digest(self, *context: str) -> int:
        """A number below 2^256 for a purpose and an original within this scope."""
        return expand_secret(self._secret, context)

    def number(self, n: int, *context: str) -> int:
        """A number from 0 to n - 1 for a purpose and an original within this scope."""
        return expand_secret(self._secret, context) * n >> 256

    def turn(self, original: str) -> str:
        """Which surrogate of an original it is the turn of: always the same one unless the mode redraws.

        >>> scope = Scope(Key(bytes(32)), "document:n1", "none")
        >>> scope.turn("eva"), scope.turn("eva")
        ('0', '1')
        """
        if self.steady:
            return ""
        mention = self._mentions[original]
        self._mentions[original] += 1
        if self.mode == "none":
            return str(mention)
        if mention and self.number(_GRAIN, "turns", original, str(mention)) < REDRAW * _GRAIN:
            self._versions[original] = mention
        return str(self._versions.get(original, 0))


def language_of(document: Document, lang: str = "") -> str:
    """The language that was asked for, or that the document says it has, or that its text looks like.

    >>> language_of(Document("n", "x", meta={"lang": "sv_SE"}))
    'sv'
    """
    if lang in language_codes():
        return lang
    declared = str(document.meta.get("lang", ""))[:2].lower()
    return declared if declared in language_codes() else recognise(document.text)
