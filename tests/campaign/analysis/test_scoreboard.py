"""Ranks, weights, teams and the goal."""

from datetime import datetime

import pytest

from innominate.campaign.analysis.scoreboard import WEIGHTS, Work, rank_work
from innominate.campaign.reference.verdicts import Quality
from innominate.report.campaign import render_scoreboard

# Loftsson 2022, figure 3.7: annotator, team, tasks, annotations, tasks per minute, quality index; in the order of the figure
FIGURE = [
    ("jeff_bezos", "farfalle", 2881, 2113, 11.2, 94.7),
    ("zarp", "tagliatelle", 1389, 1126, 9.4, 95.4),
    ("linguine", "gnocchi", 1029, 677, 6.1, 96.5),
    ("whatever", "spaghetti", 2030, 1662, 11.3, 94.5),
    ("princess_farfalle", "spaghetti", 792, 601, 7.4, 96.2),
    ("label_elabett", "farfalle", 1254, 912, 13.0, 91.9),
    ("gogi", "spaghetti", 370, 287, 10.2, 96.1),
    ("alexandre", "tagliatelle", 356, 306, 5.9, 95.3),
    ("random", "spaghetti", 100, 74, 9.7, 94.6),
    ("srock", "farfalle", 762, 500, 5.9, 94.0),
]


def work(tasks, annotations, per_minute, quality):
    right = round(10 * quality)
    return Work(tasks, annotations, 0, round(per_minute * 10), 600.0, Quality(right, 1000, right, 1000))


def test_the_order_of_figure_3_7():
    """Weighted ranks give the figure's order. It shows ten of seventeen, and with all of them gogi's pace ranks lower."""
    board = rank_work({name: (team, work(*numbers)) for name, team, *numbers in FIGURE})
    order, figure = [entry.name for entry in board], [name for name, *_ in FIGURE]
    order.remove("gogi")
    figure.remove("gogi")
    assert sorted(order[1:3]) == sorted(figure[1:3])  # equal among the ten
    assert order[:1] + order[3:] == figure[:1] + figure[3:]


def test_weights_are_those_of_the_contest():
    assert WEIGHTS == {"tasks": 0.2, "annotations": 0.2, "tasks_per_minute": 0.2, "quality": 0.4}
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    entry = rank_work({name: (team, work(*numbers)) for name, team, *numbers in FIGURE})[0]
    assert entry.ranks == {"tasks": 1, "annotations": 1, "tasks_per_minute": 3, "quality": 6}
    assert entry.points == pytest.approx(0.2 + 0.2 + 0.6 + 2.4)


def test_marking_everything_does_not_pay():
    honest, greedy = Work(10, 12, 0), Work(10, 60, 52)
    assert [entry.name for entry in rank_work({"greedy": ("a", greedy), "honest": ("b", honest)})] == ["honest", "greedy"]


def test_equal_work_has_equal_ranks():
    board = rank_work({"eva": ("a", Work(5)), "ola": ("a", Work(5)), "siv": ("a", Work(4))})
    assert [(entry.name, entry.total_rank) for entry in board] == [("eva", 1), ("ola", 1), ("siv", 3)]


def test_a_large_team_is_not_better_for_being_large():
    board = rank_work({"large": ("large", Work(30, members=3)), "small": ("small", Work(25, members=2))})
    assert [entry.name for entry in board] == ["small", "large"]


def test_the_page_shows_the_goal_and_escapes_names():
    board = {
        "goal": {"tasks": 50, "of": 200, "progress": 0.25},
        "individuals": [rank_work({"<b>": ("a", Work(5))})[0].as_dict()],
        "teams": [],
    }
    page = render_scoreboard(board, datetime(2022, 3, 13), "Scoreboard")
    assert "50 of 200 tasks, 25 %" in page
    assert "<b>" not in page.partition("</style>")[2]
