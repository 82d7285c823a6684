"""CoNLL: ours without loss, other people's with patience."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innominate.core import Document, Rejected, Span, UsageError, annotated
from innominate.formats.conll import ConllFormat
from innominate.formats.sources import DiskFile, MemoryFile

CORPORA = Path(__file__).resolve().parents[3] / "shared" / "corpora"


def read(data, **options):
    data = data if isinstance(data, bytes) else data.encode()
    return list(ConllFormat(**options).read(MemoryFile("c.conll", data, "c")))


def spans(document):
    return [(span.of(document.text), span.label) for span in document.spans]


def survives(*documents, **options):
    return read(b"".join(map(ConllFormat(**options).encode, documents))) == list(documents)


def test_columns_are_token_start_end_tag():
    written = ConllFormat().encode(annotated("Vu par [Eva Berg](DOCTOR)\nle [3 mai](DATE).", id="n1")).decode()
    assert written.splitlines()[:4] == ["# id = n1", '# text = "Vu par Eva Berg\\nle 3 mai."', "Vu\t0\t2\tO", "par\t3\t6\tO"]
    assert "Eva\t7\t10\tB-DOCTOR\nBerg\t11\t15\tI-DOCTOR\n\nle\t16\t18\tO\n" in written
    assert "# spans" not in written


@pytest.mark.parametrize("scheme", ["iob2", "iobes", "bilou"])
def test_every_scheme_survives(scheme):
    document = annotated("[Eva Maria Berg](DOCTOR) [Lund](CITY)[Oslo](CITY) [Ås](CITY)x", id="n1")
    assert b"# spans" not in ConllFormat(scheme).encode(document)
    assert survives(document, document, scheme=scheme)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("👩‍⚕️ Eva", [(4, 7)]),
        ("Ne\u0301e Eva", [(0, 4)]),
        ("a\r\nEva\r\nb", [(3, 6)]),
        ("a\0Eva\0", [(2, 5)]),
        ("Eva Berg", [(0, 8), (0, 3)]),
        ("Eva  Berg", [(3, 4)]),
        ("Eva Berg", [(0, 4)]),
        ("Eva\nBerg", [(0, 8)]),
        ("EvaBerg", [(1, 3), (3, 5)]),
        ("\x85\u2028\ud800 Eva\t# id = x\n# id = y", [(0, 3), (4, 7)]),
        ("# Eva O\n-DOCSTART- O\n\n", [(2, 5)]),
        ("", []),
    ],
)
def test_any_text_survives(text, places):
    document = Document("n1", text, tuple(Span(start, end, "NAME") for start, end in places), {"patient": "p\n1", "n": None})
    assert survives(document, Document("n2", "Eva"))


@pytest.mark.parametrize("label", ["ÂGE", "Health Care Unit", "B-X", "O", "a\tb\n", "0"])
def test_any_label_survives(label):
    assert survives(Document("n1", "Eva Berg", (Span(0, 8, label),)))


@pytest.mark.parametrize("id", ["a b", "", " a", 'a"b', '"a"', "a\nb", "# id = x", "\ud800", "ward/é"])
def test_any_id_survives(id):
    assert survives(Document(id, "Eva"))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.sampled_from("aÉ \n\r\t#-O\0\u0301👩"), min_size=1, max_size=12), st.data())
def test_every_text_with_any_spans_survives(text, data):
    borders = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).filter(lambda pair: pair[0] < pair[1])
    chosen = tuple(Span(start, end, "X") for start, end in data.draw(st.lists(borders, max_size=4)))
    assert survives(Document("n1", text, chosen))


def test_ten_megabytes_on_one_line_before_a_name():
    text = "x" * 10_000_000 + " Eva"
    assert survives(Document("n1", text, (Span(10_000_001, 10_000_004, "NAME"),)))


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("I-PER I-PER B-PER O I-LOC", ["a b", "c", "e"]),  # IOB1
        ("B-PER I-PER B-PER O B-LOC", ["a b", "c", "e"]),  # IOB2
        ("B-PER E-PER S-PER O S-LOC", ["a b", "c", "e"]),  # IOBES
        ("B-PER L-PER U-PER O U-LOC", ["a b", "c", "e"]),  # BILOU
        ("PER PER ORG 0 LOC", ["a b", "c", "e"]),  # bare labels, 0 for outside
        ("E-PER E-PER I-ORG O S-LOC", ["a", "b", "c", "e"]),  # ill-formed
    ],
)
def test_foreign_schemes(tags, expected):
    (document,) = read("\n".join(f"{token} {tag}" for token, tag in zip("abcde", tags.split(), strict=True)))
    assert document.id == "c"
    assert [text for text, _ in spans(document)] == expected


def test_foreign_columns_sentences_and_documents():
    data = "-DOCSTART- -X- O O\n\nEva NNP B-NP B-PER\r\nslept VBD B-VP O\n\n. . O O\n-DOCSTART- -X- O O\nOslo NNP B-NP B-LOC\n"
    first, second = read(data)
    assert (first.id, first.text, spans(first)) == ("c:1", "Eva slept\n.", [("Eva", "PER")])
    assert (second.id, spans(second)) == ("c:7", [("Oslo", "LOC")])


def test_a_hash_may_be_a_token_and_a_treebank_comment_is_not_ours():
    (document,) = read("# text = Eva # 1\n#\tO\n#hi\tO\nNew York\tB-LOC\n")
    assert document.text == "# #hi New York"
    assert spans(document) == [("New York", "LOC")]
    (document,) = read("a O\n# O\n# a comment O\n")
    assert document.text == "a #"


def test_bad_lines_reject_their_document_only():
    own = (
        ConllFormat().encode(Document("n1", "Eva"))
        + b'# id = n2\n# text = "Eva"\nEva\t0\tx\tO\n\n'
        + ConllFormat().encode(Document("n3", "Eva"))
    )
    found = read(own)
    assert [type(entry) for entry in found] == [Document, Rejected, Document]
    assert (found[1].id, found[1].line) == ("n2", 7)
    assert "Eva" not in str(found[1])


@pytest.mark.parametrize(
    "bad",
    ['# text = "Eva\nEva\t0\t3\tO', "# text = 3", '# text = "Eva"\n# spans = [[0,9,"X"]]', '# text = "Eva"\n# spans = [3]',
     '# text = "Eva"\nEva\t2\t9\tO', '# text = "Eva"\n# meta = []', '# text = "Eva"\nEva 0 3 O\nEva 0 3 O'],
)  # fmt: skip
def test_forged_comments_are_rejected(bad):
    (rejected,) = read(f"# id = n1\n{bad}\n")
    assert isinstance(rejected, Rejected)
    assert rejected.id == "n1"


def test_a_bad_line_costs_a_sentence_if_sentences_are_the_unit():
    found = read("a O\nb O\n\nbn\n\n\nc B-X\n", unit="sentence")
    assert [(type(entry), entry.id) for entry in found] == [(Document, "c:1"), (Rejected, "c:4"), (Document, "c:7")]
    assert (found[1].line, found[2].text) == (4, "c")
    assert isinstance(read("a O\nb O\n\nbn\n\n\nc B-X\n")[0], Rejected)


def test_old_encodings_and_bad_bytes():
    assert read("Née B-X\n".encode("latin-1"))[0].text == "Née"
    assert read("Née B-X\n".encode("utf-16"))[0].text == "Née"
    found = read(ConllFormat().encode(Document("n1", "é " * 40_000)) + b'# id = n2\n# text = "\xff"\n')
    assert [type(entry) for entry in found] == [Document, Rejected]
    assert found[1].line == 40_005


def test_wrong_options():
    with pytest.raises(UsageError):
        ConllFormat(scheme="iob3")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"Eva B-PER\nslept O\n" * 3, True),
        (b"Eva\t0\nBerg\tPER\nslept\t0\n" * 3, True),
        (b"# id = n1\n# text", True),
        (b"-DOCSTART- O\n\n" + b"Eva O\n" * 5, True),
        (b"Seen by Eva.\nNo change.\n" * 5, False),
        (b"Blood group O\n", False),
        (b"CRP 0\n" * 5, False),
        (b"id\ttext\n" + b"1\tO\n" * 9, False),
        (b"", False),
    ],
)
def test_recognised_by_its_tags(head, expected):
    assert ConllFormat().recognise(MemoryFile("x.txt", b""), head) is expected


def test_recognised_by_its_name_if_it_is_short():
    assert ConllFormat().recognise(MemoryFile("x.bio.gz", b""), b"Eva O\n")


@pytest.mark.corpus
@pytest.mark.skipif(not CORPORA.exists(), reason="corpus not found")
@pytest.mark.parametrize(
    ("path", "tokens", "count"),
    [
        ("bio_ner/NCBI-disease-IOB/devel.tsv", 23969, 787),
        ("e3c/French/train.txt", 13238, None),
        ("swedish_ner/train_corpus.txt", 113124, None),
        ("general_ner/wikigold/CONLL-format/data/wikigold.conll.txt.gz", None, None),
        ("general_ner/europeana_fr/enp_FR.bnf.bio.gz", 205916, None),
        ("general_ner/WNUT17/CONLL-format/data/dev/emerging.dev.conll", 15733, None),
    ],
)
def test_public_corpora_are_read(path, tokens, count):
    file = DiskFile(CORPORA / path, "c")
    with file.open() as stream:
        assert ConllFormat().recognise(file, stream.read(65536))
    found = list(ConllFormat(unit="sentence").read(file))
    documents = [entry for entry in found if isinstance(entry, Document)]
    assert len(found) - len(documents) == ("swedish" in path)  # one line there has no tag
    assert tokens is None or sum(len(document.text.split()) for document in documents) > 0.99 * tokens
    assert count is None or sum(len(document.spans) for document in documents) == count
    assert any(document.spans for document in documents)
