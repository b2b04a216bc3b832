"""Turns the arguments of a report into the bytes that are sent."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from .amounts import MAX_SAFE_INTEGER

_EVENT = ("event_id", "relationship_id", "environment", "occurred_at")

PATHS: Mapping[str, str] = {
    "conversion": "conversions",
    "reversal": "reversals",
    "order_refund": "v2/orders/refunds",
    "relationship": "v2/recurring/relationships",
    "billing_event": "v2/recurring/billing-events",
    "invoice_reversal": "v2/recurring/reversals",
    "invoice_refund": "v2/recurring/invoices/refunds",
    "relationship_end": "v2/recurring/relationships/end",
    "lead": "v2/leads",
    "lead_reversal": "v2/leads/reversals",
}
FIELDS: Mapping[str, Tuple[str, ...]] = {
    "conversion": (
        "order_id",
        "click_id",
        "currency",
        "order_subtotal_cents",
        "occurred_at",
        "eligible_amount_cents",
        "line_items",
        "order_name",
        "customer_id",
        "discount_code",
        "discount_codes",
        "country",
        "metadata",
        "test",
    ),
    "reversal": ("order_id", "occurred_at", "reason"),
    "order_refund": ("refund_id", "order_id", "amount_cents", "line_items", "occurred_at", "reason"),
    "relationship": (
        *_EVENT,
        "click_id",
        "product_id",
        "price_id",
        "currency",
        "discount_code",
        "discount_codes",
        "customer_id",
    ),
    "billing_event": (
        *_EVENT,
        "invoice_id",
        "payment_state",
        "amount_paid_minor_units",
        "eligible_amount_minor_units",
        "product_id",
        "price_id",
        "currency",
    ),
    "invoice_reversal": (*_EVENT, "invoice_id", "reason"),
    "invoice_refund": (
        "refund_id",
        "relationship_id",
        "invoice_id",
        "amount_minor_units",
        "line_items",
        "environment",
        "occurred_at",
        "reason",
    ),
    "relationship_end": (*_EVENT, "reason"),
    "lead": ("lead_id", "kind", "click_id", "discount_code", "customer_id", "occurred_at", "metadata"),
    "lead_reversal": ("lead_id", "occurred_at", "reason"),
}
_LINE_FIELDS = ("product_id", "amount_minor_units", "quantity")
#: The service needs the time of these; of the others it uses the time of receipt.
_TIMED = ("conversion", "billing_event", "order_refund", "lead")


@dataclass(frozen=True)
class Report:
    """A report as it is sent: every attempt sends these bytes. It contains no key and may be stored anywhere."""

    operation: str
    body: bytes


@dataclass(frozen=True)
class Unsendable:
    """A report that cannot be sent, with the invalid field."""

    reason: str
    field: str
    message: str


def serialize(operation: str, given: Mapping[str, Any], *, with_time: bool = False) -> Union[Report, Unsendable]:
    """Serializes a report once, including its time. None means that a field is absent."""
    names = FIELDS[operation]
    values = {name: value for name, value in given.items() if value is not None}
    if "click_id" in names and values.get("click_id", "") == "" and not _has_code(operation, values):
        missing = "and no discount code" if operation == "lead" else "and no discount_codes, not even an empty list"
        return Unsendable("missing_referral_click", "click_id", f"The report has no click {missing}.")
    if "currency" in names:
        values.setdefault("currency", "USD")
    if "environment" in names:
        values.setdefault("environment", "live")
    if operation in _TIMED or with_time:
        values.setdefault("occurred_at", datetime.now(timezone.utc))
    try:
        wire = _to_wire(values, names, "")
        return Report(operation, _encode(wire))
    except _InvalidField as error:
        return Unsendable("invalid_payload", error.field, f"{error.field} {error}.")


def _has_code(operation: str, values: Mapping[str, Any]) -> bool:
    """A lead needs a click or a code. Orders and subscriptions may also earn for a returning customer, so an empty list is enough."""
    return values.get("discount_code", "") != "" if operation == "lead" else "discount_codes" in values


class _InvalidField(Exception):
    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field


def _to_wire(values: Mapping[str, Any], names: Tuple[str, ...], prefix: str) -> Dict[str, Any]:
    for name in values:
        if name not in names:
            raise _InvalidField(prefix + name, f"is not a field of this report. Its fields are {', '.join(names)}")
    return {name: _value(prefix + name, values[name]) for name in names if name in values}


def _value(name: str, value: Any) -> Any:
    if name == "line_items":
        if not isinstance(value, (list, tuple)) or not all(isinstance(line, Mapping) for line in value):
            raise _InvalidField(name, "must be a list of dictionaries")
        return [_to_wire(line, _LINE_FIELDS, f"line_items[{index}].") for index, line in enumerate(value)]
    if isinstance(value, datetime):
        return _timestamp(name, value)
    if name.endswith(("_cents", "_units", "quantity")):
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_SAFE_INTEGER:
            raise _InvalidField(name, "must be a whole number of at most 9007199254740991, such as 1005 for $10.05")
        return value
    # A value of another JSON type is sent as it is: the service names the field in its response.
    try:
        _encode(value)
    except _InvalidField:
        raise _InvalidField(name, "must be text, a number, or a structure that JSON can represent") from None
    return value


def _timestamp(name: str, moment: datetime) -> str:
    if moment.utcoffset() is None:
        raise _InvalidField(name, "must have a time zone: use datetime.now(timezone.utc)")
    utc = moment.astimezone(timezone.utc)
    # Truncated to milliseconds, as the service does.
    utc -= timedelta(microseconds=utc.microsecond % 1000)
    return utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03d}Z"


def _encode(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, RecursionError):
        raise _InvalidField("", "cannot be represented in JSON") from None


def key_fields(report: Report) -> Tuple[str, str]:
    """The ID of a queued report, and the order, subscription, or lead whose reports are sent in order."""
    body = json.loads(report.body)
    names = FIELDS[report.operation]
    shared = next(name for name in ("order_id", "relationship_id", "lead_id") if name in names)
    own = "refund_id" if "refund_id" in names else "event_id" if "event_id" in names else shared
    return f"{report.operation} {body.get(own, '')}", f"{shared} {body.get(shared, '')}"


def operation_of(name: Optional[str]) -> str:
    if name not in PATHS:
        raise ValueError(f"unknown operation {name!r}")
    return str(name)
