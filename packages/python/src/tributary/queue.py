"""A queue in a SQLite file: reports survive a crash of your server and an outage of the service."""

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Callable, Literal, Mapping, Optional, Union

from .client import Conversions, Leads, Subscriptions, Tributary
from .reports import Report, Unsendable, key_fields, operation_of, serialize
from .sending import Result

_MINUTE = 60.0
_HOUR = 3_600.0
_LEASE = 120.0
_DOUBLINGS_MAX = 6
#: Rejected because of a key, a URL, or a setting. The report succeeds once that is fixed, so it stays in the queue.
_FIXABLE = (
    "missing_postback_key",
    "invalid_postback_key",
    "store_archived",
    "integration_disabled",
    "not_found",
    "unexpected_redirect",
)

_TABLES = """
create table if not exists reports (
  id text primary key, lane text not null, operation text not null, body blob not null, number integer not null,
  due_at real not null, failures integer not null default 0, holds_lane integer not null default 1
);
create table if not exists refused_reports (
  id text not null, operation text not null, body blob not null, reason text not null, message text not null, refused_at real not null
);
"""

# The first report of each order, subscription, or lead that is due: a refund is never sent before its order.
_TAKE = """
update reports set due_at = :now + :lease where id = (
  select id from reports r
  where due_at <= :now and not exists (
    select 1 from reports earlier where earlier.lane = r.lane and earlier.number < r.number and earlier.holds_lane = 1 and r.holds_lane = 1
  ) order by number limit 1
) returning id, operation, body, failures
"""


@dataclass(frozen=True)
class Queued:
    status: Literal["added", "already_queued", "not_sent"]
    reason: Optional[str] = None
    field: Optional[str] = None
    message: Optional[str] = None


class ReportQueue:
    """Adds reports to a SQLite file and sends them in `work()`. Several processes may share the file.

    Call `work()` from a worker loop or a scheduled task. Reports about the same order, subscription, or lead are sent in the order in
    which they were added. A report that is rejected for good moves to the table `refused_reports`, with its reason.
    """

    def __init__(self, tributary: Tributary, path: str, on_result: Optional[Callable[[Result], None]] = None) -> None:
        self._tributary = tributary
        self._path = path
        self._on_result = on_result
        with closing(self._open()) as database:
            database.execute("pragma journal_mode = wal")
            database.executescript(_TABLES)
        self.conversions: Conversions[Queued] = Conversions(self._add)
        self.subscriptions: Subscriptions[Queued] = Subscriptions(self._add)
        self.leads: Leads[Queued] = Leads(self._add)

    def work(self, limit: int = 100) -> int:
        """Sends up to `limit` due reports, and returns how many were sent."""
        for sent in range(limit):
            if not self._work_once():
                return sent
        return limit

    def _add(self, operation: str, fields: Mapping[str, Any]) -> Queued:
        # A queued report may be received much later than its event, so it always contains the time.
        report = serialize(operation, fields, with_time=True)
        if isinstance(report, Unsendable):
            return Queued("not_sent", report.reason, report.field, report.message)
        identifier, lane = key_fields(report)
        insert = """insert into reports (id, lane, operation, body, number, due_at)
          select ?, ?, ?, ?, coalesce(max(number), 0) + 1, ? from reports where true on conflict do nothing"""
        with closing(self._open()) as database:
            row = (identifier, lane, report.operation, report.body, time.time())
            return Queued("added" if database.execute(insert, row).rowcount == 1 else "already_queued")

    def _work_once(self) -> bool:
        with closing(self._open()) as database:
            taken = database.execute(_TAKE, {"now": time.time(), "lease": _LEASE}).fetchone()
        if taken is None:
            return False
        identifier, operation, body, failures = taken
        result = self._tributary.send(Report(operation_of(operation), bytes(body)))
        with closing(self._open()) as database:
            _settle(database, identifier, failures, result)
        if self._on_result is not None:
            self._on_result(result)
        return True

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=30, isolation_level=None)


def _settle(database: sqlite3.Connection, identifier: str, failures: int, result: Result) -> None:
    wait = _wait(failures, result)
    if wait is not None:
        # A dispute may last for weeks, so later reports do not wait for a refund that is on hold.
        postpone = "update reports set due_at = ?, failures = failures + 1, holds_lane = ? where id = ?"
        database.execute(postpone, (time.time() + wait, 0 if result.retry == "tomorrow" else 1, identifier))
        return
    database.execute("begin immediate")
    if not result.ok:
        refuse = "insert into refused_reports select id, operation, body, ?, ?, ? from reports where id = ?"
        database.execute(refuse, (result.reason, result.message, time.time(), identifier))
    database.execute("delete from reports where id = ?", (identifier,))
    database.execute("commit")


def _wait(failures: int, result: Result) -> Union[float, None]:
    """Seconds until the next attempt, or None if the report is finished. An outage is retried for as long as it lasts."""
    if result.ok:
        return None
    if result.outcome == "refused" and (result.reason in _FIXABLE or result.reason.startswith("http_")):
        return _HOUR
    if result.retry == "no":
        return None
    pause = result.retry_after_seconds or 0.0
    if result.retry == "tomorrow":
        return pause
    return max(pause, min(_HOUR, _MINUTE * 2 ** min(failures, _DOUBLINGS_MAX)))
