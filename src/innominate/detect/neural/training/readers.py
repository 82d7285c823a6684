"""What reads notes beside a network while it learns: language models and parts of speech."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from innominate.core import Document, UsageError
from innominate.detect.models.cards import CARD
from innominate.detect.neural.readers.characters import FOLDER, CharacterReader
from innominate.detect.neural.readers.encoder import EncoderReader, holds_encoder
from innominate.detect.neural.readers.parts_of_speech import LEXICON, PartsOfSpeech, load_parts_of_speech
from innominate.detect.neural.readers.words import FOLDER as WORD_FOLDER
from innominate.detect.neural.readers.words import WordReader
from innominate.detect.neural.settings import NeuralSettings
from innominate.detect.neural.tagset import Tagset
from innominate.detect.neural.training.borrow import Borrowed, load_borrowed
from innominate.detect.neural.training.language_models import CharLms, WordLm, load_charlm, load_wordlm
from innominate.detect.neural.training.lessons import NoteLesson, make_lesson
from innominate.detect.neural.vocabulary import Vocabulary

_TOGETHER = 32  # notes
PARTS = 16  # size of the vector of a part of speech where no setting says another


InContext = WordLm | Borrowed  # numbers for each piece where it stands, in layers
NoteReader = CharacterReader | WordReader | EncoderReader


@dataclass(frozen=True)
class Beside:
    """Where the readers come from: folders of language models, and a spaCy pipeline or a word list."""

    language_model: Path | None = None
    word_lm: Path | None = None
    parts_of_speech: str = ""

    def copy_served(self, folder: Path) -> None:
        """Put what is served of them into the folder of a model."""
        if self.language_model:
            copy_served(self.language_model, folder / FOLDER)
        if self.word_lm:
            copy_served(self.word_lm, folder / WORD_FOLDER)
        if self.parts_of_speech.endswith(".tsv"):
            shutil.copyfile(self.parts_of_speech, folder / LEXICON)


@dataclass(frozen=True)
class Readers:
    """The readers that a network has."""

    letters: CharLms | None = None
    words: InContext | None = None
    parts: PartsOfSpeech | None = None

    @property
    def are_slow(self) -> bool:
        """Whether reading a note takes longer than learning from it."""
        return bool(self.letters or self.words or self.parts)

    @property
    def states(self) -> int:
        """Numbers that character language models say of a piece."""
        return self.letters.size if self.letters else 0

    def lessons(self, documents: Sequence[Document], vocabulary: Vocabulary, tagset: Tagset, device: str) -> list[NoteLesson]:
        """Make notes ready for learning."""
        found = [make_lesson(document, vocabulary, tagset) for document in documents]
        if self.parts:
            found = with_parts(found, documents, self.parts)
        if self.words:
            found = with_read(found, documents, self.words.reader(device), "layers")
        return with_read(found, documents, self.letters.reader(device), "states") if self.letters else found


def copy_served(folder: Path, to: Path) -> None:
    """Put what is served of language models into a folder of the model that reads through them."""
    shutil.rmtree(to, ignore_errors=True)  # eight-bit graphs of others would be served instead
    to.mkdir(parents=True)
    for path in folder.iterdir():
        if path.name in {CARD, "vocabulary.json"} or path.suffix == ".onnx":
            shutil.copyfile(path, to / path.name)


def with_read(lessons: Sequence[NoteLesson], documents: Sequence[Document], reader: NoteReader, name: str) -> list[NoteLesson]:
    """Add to every note what a reader makes of each piece; notes of like length are read together."""
    order = sorted(range(len(lessons)), key=lambda index: len(documents[index].text))
    found = list(lessons)
    for first in range(0, len(order), _TOGETHER):
        some = order[first : first + _TOGETHER]
        rows: Sequence[NDArray[np.floating[Any]]] = reader.read(
            [documents[index].text for index in some], [lessons[index].places for index in some]
        )
        for index, row in zip(some, rows, strict=True):
            values: dict[str, Any] = {name: row.astype(np.float16)}
            found[index] = replace(lessons[index], **values)
    return found


def with_parts(lessons: Sequence[NoteLesson], documents: Sequence[Document], parts: PartsOfSpeech) -> list[NoteLesson]:
    """Add to every note the part of speech of each piece."""
    tags = parts.tag([document.text for document in documents], [each.places for each in lessons])
    if any(map(len, tags)) and not any(each.any() for each in tags):
        raise UsageError("no piece of the notes has a part of speech: does the pipeline of --parts-of-speech have a tagger?")
    return [replace(each, encoded=replace(each.encoded, parts=found)) for each, found in zip(lessons, tags, strict=True)]


def load_readers(settings: NeuralSettings, beside: Beside) -> tuple[NeuralSettings, Readers]:
    """Load what a kind reads through, and give its network the sizes of it."""
    kind, network = settings.network.kind, settings.network
    if network.language_model and not beside.language_model:
        raise UsageError(f"{kind} reads through character language models: train them with `innominate train charlm`, "
                         "and give their folder by --language-model")  # fmt: skip
    if beside.language_model and not network.language_model:
        raise UsageError(f"{kind} reads no character language model; leave --language-model out, or train flair")
    letters = load_charlm(beside.language_model) if beside.language_model else None
    words = load_in_context(beside.word_lm) if beside.word_lm else None
    name = beside.parts_of_speech
    return set_readers(settings, words, name), Readers(letters, words, load_parts_of_speech(name) if name else None)


def load_in_context(folder: Path) -> InContext:
    """Read a word-level language model or a borrowed encoder, to train with."""
    return load_borrowed(folder) if holds_encoder(folder) else load_wordlm(folder)


def set_readers(settings: NeuralSettings, words: InContext | None, parts_of_speech: str) -> NeuralSettings:
    """Say in the settings of a network what it reads of words in context and of parts of speech."""
    network = replace(
        settings.network,
        lm_layers=words.card.layers if words else 0,
        lm_size=words.card.size if words else 0,
        parts=(settings.network.parts or PARTS) if parts_of_speech else 0,
        parts_of_speech=LEXICON if parts_of_speech.endswith(".tsv") else parts_of_speech,
    )
    return replace(settings, network=network)
