import random

import pytest
from selectolax.lexbor import LexborHTMLParser

from innominate.core import apply_edits
from innominate.text.html import Html


def shown(html: str) -> str:
    return apply_edits(html, Html().edits(html))[0]


def by_tree(html: str) -> str:
    """The steps of the seed, done on a tree."""
    body = LexborHTMLParser(f"<div>{html}</div>").body
    body.strip_tags(["script", "style"])
    for node in body.css("br, li, p, tr"):
        node.insert_before("\n")
        node.insert_after("\n")
    for node in body.css("td"):
        node.insert_before(" ")
        node.insert_after(" ")
    return body.text(deep=True)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Eva</p>", "\nEva\n"),
        ("a<br>b<br/>c<BR />d", "a\n\nb\n\nc\n\nd"),
        ("<ul><li>a<li>b</ul>", "\na\nb"),
        ("<tr><td>Eva</td><td nowrap>Meier</td></tr>", "\n Eva  Meier \n"),
        ("<b class='x>y' title=\"a<b\">Eva</b>", "Eva"),
        ("a<!-- <p>Eva</p> -->b", "ab"),
        ("<style>p {color: red}</style><script>if (a<b) x()</script >Eva", "Eva"),
        ("<!DOCTYPE html><?xml version='1.0'?><![CDATA[Eva]]>", "Eva"),
        ("<o:p>Eva</o:p>", "Eva"),
        ("&eacute;&#233;&#xE9;&#XE9;&nbsp;&amp;lt;", "éééé\xa0&lt;"),
        ("<p>Ren&eacute</p>", "\nRené\n"),
    ],
)
def test_markup_becomes_white_space_or_nothing(html, text):
    assert shown(html) == text


@pytest.mark.parametrize(
    "text",
    [
        "TA < 120 et > 80",
        "<5 mg, <10%",
        "a<b",
        "si a <b et c> d",
        "Contact <jean.dupont@chuv.ch>",
        "<Nom du patient>",
        "<Dupont>",
        "R&D, A&E, Bed&Breakfast; &eacute sans point-virgule",
        "&inconnu; &; &#; &#x;",
        "<!-- never closed: Eva",
        "x < y",
        "<<p",
        "<p",
        "fleche <- et ->",
    ],
)
def test_what_is_not_surely_markup_stays_visible(text):
    assert shown(text) == text


def test_an_unclosed_script_is_shown_rather_than_hidden():
    assert shown("<script>Eva Meier") == "Eva Meier"


def test_other_block_elements_are_an_option():
    assert apply_edits(t := "<div>a</div><div>b</div>", Html(lines=("div",)).edits(t))[0] == "\na\n\nb\n"


def random_document(rng: random.Random, depth: int = 0) -> str:
    """A well-formed piece of HTML."""
    words = (
        "Eva",
        "38.5 &deg;C",
        "&eacute;t&eacute;",
        " ",
        "\n",
        "<br>",
        "a &lt; b",
        "<!-- c -->",
        "né",
        "<img src='a>b'>",
        "&#8217;",
    )
    parts = []
    for _ in range(rng.randrange(1, 5)):
        kind = rng.randrange(6)
        if depth > 3 or kind < 3:
            parts.append(rng.choice(words))
        elif kind == 3:
            cells = "".join(f"<td>{random_document(rng, depth + 1)}</td>" for _ in range(2))
            parts.append(f"<table><tbody><tr>{cells}</tr></tbody></table>")
        elif kind == 4:
            parts.append(f"<ul><li>{random_document(rng, depth + 1)}</li></ul>")
        else:
            name = rng.choice(("b", "span class='x'", "div", "i", "font color=red", "script", "style"))
            inside = "x = 'y'" if name in ("script", "style") else random_document(rng, depth + 1)
            parts.append(f"<{name}>{inside}</{name.split()[0]}>")
    return "".join(parts)


def test_well_formed_documents_show_what_a_tree_parser_shows():
    rng = random.Random(3)
    for _ in range(500):
        html = f"<p>Note</p>{random_document(rng)}"
        assert shown(html) == by_tree(html)
