import pytest

from innominate.core import FormatError
from innominate.synth.slot import Offset, Slot, parse_slot
from innominate.synth.template import Agree, Choice, Marked, Text, parse_file, parse_template


def test_text_slots_choices_agreement_and_annotations():
    nodes = parse_template(r"A {visit} {b|{age}} {~patient|né|née} [x {org}](ORG) \[20:00\] | \{").nodes
    assert nodes[0] == Text("A ")
    assert isinstance(nodes[1], Slot)
    assert nodes[3] == Choice(((Text("b"),), (Slot("age", "age", line=1),)))
    assert nodes[5] == Agree("patient", (Text("né"),), (Text("née"),))
    assert nodes[7] == Marked("ORG", (Text("x "), Slot("word", "org", line=1)), 1)
    assert nodes[8] == Text(" [20:00] | {")


def test_choices_nest():
    assert parse_template("{a|{b|c}|}").nodes == (Choice(((Text("a"),), (Choice(((Text("b"),), (Text("c"),))),), ())),)


def test_a_file_holds_templates_with_names_genders_and_lines():
    first, second = parse_file("# comment\n=== a-1\nx\n\n=== b-2 f\n\ny {age}\n", "fr/x.txt")
    assert (first.name, first.line, first.gender) == ("a-1", 2, "")
    assert (second.name, second.gender, second.slots[0].line) == ("b-2", "f", 7)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("admission+2w:long", Slot("date", "admission", form="long", offset=Offset(2, "w"))),
        ("birth+40y:y", Slot("date", "birth", form="y", offset=Offset(40, "y"))),
        ("age@past:words", Slot("age", "age", form="words", at="past")),
        ("kin2.age", Slot("age", "kin2", "age")),
        ("labs:4", Slot("labs", "labs", form="4")),
        ("doctor2.last_caps", Slot("person", "doctor2", "last_caps")),
    ],
)
def test_slots_are_read(text, slot):
    assert parse_slot(text) == slot


@pytest.mark.parametrize(
    "body",
    [
        "{patient.surname}",  # no such form
        "{visit:longer}",
        "{unknown}",
        "{age+3d}",
        "{visit@past}",
        "{labs}",
        "{home.planet}",
        "{open",
        "close}",
        "[open",
        "[a]",  # no label
        "[](X)",
        "[a [b](X)](Y)",
        "{~patient|x}",
        "{~nobody|x|y}",
        "{}",
        r"\x",
        "{a|[b|c](X)}",
        "",
    ],
)
def test_mistakes_raise_with_file_template_and_line(body):
    with pytest.raises(FormatError) as error:
        list(parse_file(f"=== ok-1\nfine\n=== bad-1\n{body}", "fr/train/x.txt"))
    assert "fr/train/x.txt" in str(error.value)
    assert "bad-1" in str(error.value)
    assert error.value.line in (3, 4)


@pytest.mark.parametrize("text", ["lost text\n=== a-1\nx", "=== Bad Name\nx", "===a\nx"])
def test_a_file_must_be_in_order(text):
    with pytest.raises(FormatError):
        list(parse_file(text, "f.txt"))
