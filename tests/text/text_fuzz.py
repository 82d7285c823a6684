"""Hostile texts for the tests of this folder, the same in every run, and what must hold for every map."""

import random
from collections.abc import Iterator

from innominate.core import OffsetMap

PIECES = (
    *"aA1zé. -#'\"\t\n\r\0\x1f\x85\xa0<>&;=/!?:,…",
    *"\u200b\u200d\u202e\u00ad\ufeff\u034f\ufe0f\u0301\u0323\u0344\u3099\u1100\u1161\u11a8\uac00\u3131\uff76\uff9e",
    *"аΑ٣𝐄Ｄ①ﬁªºµ²Å\u212b’“–\u3000\u2028ßıİ日😀\U000e0041\U0001d15e\ud800",
    *(
        "\r\n",
        "<p>",
        "</p>",
        "<br/>",
        "<td x='<'>",
        "</td>",
        "<!--",
        "-->",
        "<script>",
        "</script >",
        "<style>",
        "<b",
        "<![CDATA[",
    ),
    *(
        "]]>",
        "&eacute;",
        "&eacute",
        "&#233;",
        "&#xD800;",
        "&#0;",
        "&amp;lt;",
        "&notit;",
        "TA < 120",
        "a<b et c>d",
        "<x@chuv.ch>",
    ),
    *(
        "18.03.2022",
        "M.Mustafa",
        "1015-Lausanne",
        "Dr.",
        "12h30",
        "l'hôpital",
        "www.chuv.ch",
        "a@b.se",
        "    ",
        "\n\n",
        "𝟙𝟚",
        "e\u0301",
    ),
)


def fuzzed(seed: int, count: int, longest: int = 25) -> Iterator[str]:
    rng = random.Random(seed)
    for _ in range(count):
        yield "".join(rng.choices(PIECES, k=rng.randrange(longest + 1)))


def check_map(original: str, text: str, offsets: OffsetMap) -> None:
    """Segments tile both texts, unchanged ones are equal, and every character maps inside bounds."""
    source = target = 0
    for segment, is_change in offsets.segments():
        assert (segment.source_start, segment.target_start) == (source, target)
        source, target = segment.source_end, segment.target_end
        if not is_change:
            assert original[segment.source_start : source] == text[segment.target_start : target]
    assert (source, target) == (len(original), len(text))
    for position in range(len(text)):
        start, end = offsets.to_source(position, position + 1)
        assert 0 <= start <= end <= len(original)
    for position in range(len(original)):
        start, end = offsets.to_target(position, position + 1)
        assert 0 <= start <= end <= len(text)
        if start < end:  # what is shown leads back to where it came from
            back_start, back_end = offsets.to_source(start, end)
            assert back_start <= position < back_end
