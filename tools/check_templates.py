"""Check the templates and word lists: `python tools/check_templates.py [LANG ...]`.

Parses every template, compiles it, renders it a few times, and prints what is wrong and how often each label occurs. Of test
templates it prints names, places of errors and counts only, never their text: whoever writes rules must not see them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from innominate.core import InnominateError
from innominate.languages import language_codes
from innominate.synth.case import fit_of
from innominate.synth.generate import SPLITS, Program, patient_notes, template_files
from innominate.synth.lexicon import Setting, setting
from innominate.synth.noise import CLEAN
from innominate.synth.template import Template, parse_file

RENDERINGS = 20


def check(lang: str) -> Iterator[str]:
    """Yield one line per problem, then a table of labels by split."""
    try:
        words = setting(lang)
    except InnominateError as error:
        yield f"{lang}: {error}"
        return
    counts: dict[str, Counter[str]] = {split: Counter() for split in SPLITS}
    seen: dict[str, str] = {}
    for split in SPLITS:
        number, types = 0, set()
        for template, note_type, problem in _read(lang, split):
            if template is None:
                yield _discreet(problem, split)
                continue
            number += 1
            types.add(note_type)
            if template.name in seen:
                yield f"{template.source}:{template.line}: {template.name!r} is also in {seen[template.name]}"
            seen[template.name] = template.source
            yield from (_discreet(line, split) for line in _render(template, words, counts[split]))
        yield f"{lang} {split}: {number} templates in {len(types)} note types"
    yield from _table(words, counts)


def _discreet(problem: str, split: str) -> str:
    """Leave out what a message quotes from a test template."""
    return re.sub(r"\{.*\}", "{...}", problem) if split == "test" else problem


def _read(lang: str, split: str) -> Iterator[tuple[Template | None, str, str]]:
    """Every template of a split, or the problem of a file."""
    for path in template_files(lang, split):
        try:
            for template in parse_file(path.read_text("utf-8"), f"{lang}/{split}/{path.name}"):
                yield template, path.stem, ""
        except InnominateError as error:
            yield None, path.stem, str(error)


def _render(template: Template, words: Setting, counts: Counter[str]) -> Iterator[str]:
    """Compile and render a template, counting the labels of a rendering on average."""
    try:
        program = Program(template, words)
    except InnominateError as error:
        yield str(error)
        return
    for i in range(RENDERINGS):
        try:
            notes = list(patient_notes([(program, fit_of(template))], 1, "check", Random(f"{template.name}/{i}"), noise=CLEAN))
        except Exception as error:  # whatever is wrong must be said with the name of the template, and not stop the rest
            yield str(template.error(f"does not render: {type(error).__name__}"))
            return
        counts.update(span.label for note in notes for span in note.spans)


def _table(words: Setting, counts: dict[str, Counter[str]]) -> Iterator[str]:
    """How often each label occurs when every template is rendered once, by split."""
    yield f"{'label':36}" + "".join(f"{split:>8}" for split in SPLITS)
    for label in sorted(words.notes.labels):
        per_pass = [counts[split][label] / RENDERINGS for split in SPLITS]
        missing = "  <- missing" if not all(per_pass) else ""
        yield f"{label:36}" + "".join(f"{value:8.1f}" for value in per_pass) + missing


def main(arguments: Sequence[str]) -> int:
    """Check some languages, or all; returns 1 if a template is wrong."""
    wrong = 0
    for lang in arguments or language_codes():
        for line in check(lang):
            print(line)
            wrong |= ".txt" in line
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
