"""Numbers about a campaign, counted by the database."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.campaign.store.database import Transaction


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """What one person has done."""

    annotator: str
    accepted: int
    rejected: int
    ignored: int
    at_work: int  # tasks that are lent to them now
    last: float  # when their last answer was given, or came


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that is counted, without training."""

    documents: int
    chunks: int
    by_annotators: dict[int, int]  # how many chunks were accepted by 0, 1, 2, ... people
    work: tuple[AnswerCounts, ...]
    training: int  # chunks for training
    trained: dict[str, int]  # how many of them each person has done
    kept_out: dict[str, int]  # answers that are in the event log only: late, conflict


def count_work(transaction: Transaction, now: float) -> Summary:
    """Count."""
    chunks = transaction.count("SELECT count(*) FROM chunks WHERE training = 0")
    counts = transaction.rows(
        "SELECT n, count(*) FROM (SELECT count(*) AS n FROM work w JOIN chunks c ON c.number = w.chunk "
        "WHERE c.training = 0 AND w.state = 'accept' GROUP BY w.chunk) AS counted GROUP BY n ORDER BY n"
    )
    by_annotators = {int(people): int(number) for people, number in counts}
    kept_out = transaction.rows("SELECT kind, count(*) FROM events WHERE kind IN ('late', 'conflict') GROUP BY kind")
    trained = transaction.rows(
        "SELECT w.annotator, count(*) FROM work w JOIN chunks c ON c.number = w.chunk "
        "WHERE c.training = 1 AND w.state <> 'leased' GROUP BY w.annotator"
    )
    return Summary(
        transaction.count("SELECT count(*) FROM documents"),
        chunks,
        {0: chunks - sum(by_annotators.values()), **by_annotators},
        _work(transaction, now),
        transaction.count("SELECT count(*) FROM chunks WHERE training = 1"),
        {str(annotator): int(number) for annotator, number in trained},
        {str(kind): int(number) for kind, number in kept_out},
    )


def _work(transaction: Transaction, now: float) -> tuple[AnswerCounts, ...]:
    rows = transaction.rows(
        "SELECT a.id, count(CASE WHEN w.state = 'accept' THEN 1 END), count(CASE WHEN w.state = 'reject' THEN 1 END), "
        "count(CASE WHEN w.state = 'ignore' THEN 1 END), count(CASE WHEN w.state = 'leased' AND w.until > :now THEN 1 END), "
        "(SELECT max(CASE WHEN n.at > 0 THEN n.at ELSE n.received END) FROM answers n WHERE n.annotator = a.id) "
        "FROM annotators a LEFT JOIN (SELECT w.* FROM work w JOIN chunks c ON c.number = w.chunk WHERE c.training = 0) AS w "
        "ON w.annotator = a.id GROUP BY a.id ORDER BY a.id",
        now=now,
    )
    return tuple(
        AnswerCounts(id, int(accepted), int(rejected), int(ignored), int(at_work), float(last or 0))
        for id, accepted, rejected, ignored, at_work, last in rows
    )
