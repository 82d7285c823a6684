"""How each family of slots becomes text: one file per family, joined in `leaf`."""

from __future__ import annotations

from innominate.synth.ops import Leaf, Op
from innominate.synth.setting import Setting
from innominate.synth.slot import Slot
from innominate.synth.slots import ages, contacts, dates, people, places, words


def leaf(setting: Setting) -> Leaf:
    """The function that compiles slots for a language; a slot that the language lacks raises ValueError."""
    families = {
        "person": people.compile_person,
        "kin": people.compile_kin_word,
        "date": dates.compile_date,
        "time": dates.compile_time,
        "age": ages.compile_age,
        "place": places.compile_place,
        "contact": contacts.compile_contact,
        "id": contacts.compile_id,
    }

    def compile_slot(slot: Slot) -> Op:
        if slot.kind in families:
            return families[slot.kind](slot, setting)
        return words.compile_word(slot, setting)

    return compile_slot
