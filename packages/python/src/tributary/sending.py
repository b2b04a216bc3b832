"""Sends a report until its response is final or the attempts are used up."""

import http.client
import json
import random
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Literal, Mapping, Optional, Tuple
from urllib.parse import SplitResult

from .reports import PATHS, Report

_RESPONSE_BYTES_MAX = 65_536
#: Longer pauses are left to the caller, because sending must not block for them.
_PAUSE_SECONDS_MAX = 8.0
_LATER_SECONDS = 60.0
_DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class Limits:
    attempts_max: int = 5
    #: For one attempt, to the last byte of its response.
    timeout_seconds: float = 10.0
    #: For all attempts and the pauses between them.
    deadline_seconds: float = 30.0
    first_pause_seconds: float = 0.2


@dataclass(frozen=True)
class Result:
    """The result of a report. `retry` says what is left to do."""

    ok: bool
    outcome: Literal["accepted", "refused", "not_sent", "held", "unavailable"]
    #: "no": finished. "later": send `report` again after `retry_after_seconds`. "tomorrow": once a day, until the hold is decided.
    retry: Literal["no", "later", "tomorrow"]
    #: Machine-readable. Branch on `ok`, `retry`, and `reason`, never on `message`.
    reason: str
    message: str
    #: HTTP status of the last response; None if there was none.
    status: Optional[int] = None
    #: The service's ID of the request, for its tracking log.
    request_id: Optional[str] = None
    attempts: int = 0
    #: The report had been accepted before, and nothing was recorded twice.
    is_replay: bool = False
    transaction_id: Optional[str] = None
    conversion_id: Optional[str] = None
    binding_id: Optional[str] = None
    event_id: Optional[str] = None
    field: Optional[str] = None
    retry_after_seconds: Optional[float] = None
    report: Optional[Report] = None
    refund_id: Optional[str] = None
    lead_id: Optional[str] = None


@dataclass(frozen=True)
class Target:
    """Where reports go. `key` is left out of the representation, so that it is not logged by accident."""

    base: SplitResult
    tracking_key: str
    limits: Limits

    def path(self, operation: str) -> str:
        return f"{self.base.path}/api/partner-network/postbacks/{self.tracking_key}/{PATHS[operation]}"


@dataclass(frozen=True)
class _Answer:
    """One attempt: a response, parsed as far as possible, or none (`status` is None)."""

    reason: str
    status: Optional[int] = None
    body: Optional[Mapping[str, Any]] = None
    request_id: Optional[str] = None
    retry_after: float = 0.0
    is_replay: bool = False


def decide(answer: _Answer) -> Tuple[Literal["done", "stop", "tomorrow", "again"], str]:
    """Decides by status and reason. Network errors and 5xx are retried, with three exceptions; everything else is final."""
    status, body = answer.status, answer.body or {}
    if status is None:
        return "again", answer.reason
    reason = body.get("reason")
    if 200 <= status < 300:
        if body.get("ok") is True:
            return "done", str(reason)
        # A page of a proxy or a truncated response: the service has not confirmed that it recorded the report.
        return "again", "unreadable_answer"
    if 300 <= status < 400:
        # A redirect is never followed, because the key would be sent along.
        return "stop", "unexpected_redirect"
    reason = str(reason) if reason is not None else f"http_{status}"
    if status < 500 or reason == "duplicate_event":
        return "stop", reason
    return ("tomorrow" if reason in ("active_hold", "invoice_in_progress") else "again", reason)


def send(report: Report, target: Target, key: str) -> Result:
    """Sends the same bytes in every attempt. Does not raise."""
    limits = target.limits
    ends_at = time.monotonic() + limits.deadline_seconds
    attempts = 0
    while True:
        attempts += 1
        timeout = max(0.001, min(limits.timeout_seconds, ends_at - time.monotonic()))
        answer = _attempt(report, target, key, timeout)
        verdict, reason = decide(answer)
        result = _result(report, answer, reason, attempts)
        if verdict == "done":
            return replace(result, ok=True, outcome="accepted", is_replay=answer.is_replay, **_identifiers(answer.body))
        if verdict == "stop":
            return result
        if verdict == "tomorrow":
            return replace(result, outcome="held", retry="tomorrow", retry_after_seconds=_DAY_SECONDS)
        # Full jitter, so that senders that failed together do not retry together. The service's Retry-After is added.
        pause = random.random() * min(_PAUSE_SECONDS_MAX, limits.first_pause_seconds * 2**attempts) + answer.retry_after
        if attempts >= limits.attempts_max or pause > 2 * _PAUSE_SECONDS_MAX or time.monotonic() + pause >= ends_at:
            later = max(_LATER_SECONDS, answer.retry_after)
            return replace(result, outcome="unavailable", retry="later", retry_after_seconds=later)
        time.sleep(pause)


def _attempt(report: Report, target: Target, key: str, timeout: float) -> _Answer:
    connection = _connection(target.base, timeout)
    timed_out = threading.Event()

    def abort() -> None:
        timed_out.set()
        if connection.sock is not None:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    # The timeout of a socket restarts with every byte; this one ends the whole attempt.
    timer = threading.Timer(timeout, abort)
    timer.daemon = True
    timer.start()
    try:
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {key}",
            "Accept": "application/json",
            "User-Agent": "tributary-python",
        }
        connection.request("POST", target.path(report.operation), body=report.body, headers=headers)
        response = connection.getresponse()
        text = response.read(_RESPONSE_BYTES_MAX)
        if response.length:
            # A response that ends early, or that exceeds every answer of the service.
            return _Answer("network_error")
        return _Answer(
            reason="",
            status=response.status,
            body=_parse(text),
            request_id=response.headers.get("Request-Id"),
            retry_after=_retry_after(response.headers.get("Retry-After")),
            is_replay=response.headers.get("Idempotent-Replayed") == "true",
        )
    except (OSError, http.client.HTTPException, ValueError) as error:
        # The text of the error is not passed on, because a library may include secrets in it.
        is_timeout = timed_out.is_set() or isinstance(error, (socket.timeout, TimeoutError))
        return _Answer("timeout" if is_timeout else "network_error")
    finally:
        timer.cancel()
        connection.close()


def _connection(base: SplitResult, timeout: float) -> http.client.HTTPConnection:
    host = base.hostname or ""
    if base.scheme == "https":
        return http.client.HTTPSConnection(host, base.port, timeout=timeout, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, base.port, timeout=timeout)


def _parse(text: bytes) -> Optional[Mapping[str, Any]]:
    try:
        body = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    is_answer = isinstance(body, dict) and isinstance(body.get("ok"), bool) and isinstance(body.get("reason"), str)
    return body if is_answer else None


def _retry_after(header: Optional[str]) -> float:
    """Seconds, or a date."""
    if header is None:
        return 0.0
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def _identifiers(body: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    names = ("transaction_id", "conversion_id", "binding_id", "event_id", "refund_id", "lead_id")
    return {name: _text((body or {}).get(name)) for name in names}


def _text(value: Any) -> Optional[str]:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _result(report: Report, answer: _Answer, reason: str, attempts: int) -> Result:
    body = answer.body or {}
    fallback = "No response was received." if answer.status is None else f"The response was HTTP {answer.status}."
    return Result(
        ok=False,
        outcome="refused",
        retry="no",
        reason=reason,
        message=_text(body.get("message")) or fallback,
        status=answer.status,
        request_id=answer.request_id,
        attempts=attempts,
        field=_text(body.get("field")),
        report=report,
    )
