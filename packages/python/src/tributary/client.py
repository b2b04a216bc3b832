"""The client of the postback interface."""

import re
from datetime import datetime
from typing import Any, Callable, Generic, List, Literal, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlsplit

from .reports import Report, Unsendable, serialize
from .sending import Limits, Result, Target, send

Moment = Union[datetime, str]
Answer = TypeVar("Answer")
Deliver = Callable[[str, Mapping[str, Any]], Answer]
PaymentState = Literal["paid", "failed", "open", "void", "uncollectible"]
Environment = Literal["live", "test"]


class Conversions(Generic[Answer]):
    """Reports one-time orders. Amounts are whole cents; a time is an aware datetime, or ISO 8601 text with an offset."""

    def __init__(self, deliver: "Deliver[Answer]") -> None:
        self._deliver = deliver

    def record(
        self,
        *,
        order_id: str,
        click_id: Optional[str],
        order_subtotal_cents: int,
        occurred_at: Optional[Moment] = None,
        currency: Optional[str] = None,
        eligible_amount_cents: Optional[int] = None,
        line_items: Optional[List[Mapping[str, Any]]] = None,
        order_name: Optional[str] = None,
        customer_id: Optional[str] = None,
        discount_code: Optional[str] = None,
        discount_codes: Optional[List[str]] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        country: Optional[str] = None,
        test: Optional[bool] = None,
    ) -> Answer:
        """Reports a paid order.

        `occurred_at` is the time of payment; set it if your code may report the same order twice. With `discount_codes` (even an empty
        list) an order without a click is sent too: set it if your program credits discount codes or returning customers.
        """
        return self._deliver("conversion", _arguments(locals()))

    def reverse(self, *, order_id: str, occurred_at: Optional[Moment] = None, reason: Optional[str] = None) -> Answer:
        """Reports that an order was refunded in full, or cancelled."""
        return self._deliver("reversal", _arguments(locals()))

    def refund(
        self,
        *,
        refund_id: str,
        order_id: str,
        amount_cents: Optional[int] = None,
        line_items: Optional[List[Mapping[str, Any]]] = None,
        occurred_at: Optional[Moment] = None,
        reason: Optional[str] = None,
    ) -> Answer:
        """Reports a partial refund, by amount or by lines.

        `refund_id` is unique, and the same each time the same refund is reported. Set `occurred_at` if your code may report it twice.
        """
        return self._deliver("order_refund", _arguments(locals()))


class Subscriptions(Generic[Answer]):
    """Reports subscriptions. `event_id` is unique, and the same each time the same event is reported."""

    def __init__(self, deliver: "Deliver[Answer]") -> None:
        self._deliver = deliver

    def bind(
        self,
        *,
        event_id: str,
        relationship_id: str,
        click_id: Optional[str],
        product_id: str,
        price_id: Optional[str] = None,
        currency: Optional[str] = None,
        environment: Optional[Environment] = None,
        occurred_at: Optional[Moment] = None,
        discount_code: Optional[str] = None,
        discount_codes: Optional[List[str]] = None,
        customer_id: Optional[str] = None,
    ) -> Answer:
        """Reports a new subscription. With `discount_codes` (even an empty list), one without a click is sent too, as for an order."""
        return self._deliver("relationship", _arguments(locals()))

    def bill(
        self,
        *,
        event_id: str,
        relationship_id: str,
        invoice_id: str,
        payment_state: PaymentState,
        amount_paid_minor_units: int,
        product_id: str,
        eligible_amount_minor_units: Optional[int] = None,
        price_id: Optional[str] = None,
        currency: Optional[str] = None,
        environment: Optional[Environment] = None,
        occurred_at: Optional[Moment] = None,
    ) -> Answer:
        """Reports an invoice, paid or not."""
        return self._deliver("billing_event", _arguments(locals()))

    def reverse_invoice(
        self,
        *,
        event_id: str,
        relationship_id: str,
        invoice_id: str,
        reason: Optional[str] = None,
        environment: Optional[Environment] = None,
        occurred_at: Optional[Moment] = None,
    ) -> Answer:
        """Reports that an invoice was refunded in full."""
        return self._deliver("invoice_reversal", _arguments(locals()))

    def refund_invoice(
        self,
        *,
        refund_id: str,
        relationship_id: str,
        invoice_id: str,
        amount_minor_units: Optional[int] = None,
        line_items: Optional[List[Mapping[str, Any]]] = None,
        environment: Optional[Environment] = None,
        occurred_at: Optional[Moment] = None,
        reason: Optional[str] = None,
    ) -> Answer:
        """Reports a partial refund of an invoice. `refund_id` is unique, and the same each time the same refund is reported."""
        return self._deliver("invoice_refund", _arguments(locals()))

    def end(
        self,
        *,
        event_id: str,
        relationship_id: str,
        reason: Optional[str] = None,
        environment: Optional[Environment] = None,
        occurred_at: Optional[Moment] = None,
    ) -> Answer:
        """Reports that a subscription ended."""
        return self._deliver("relationship_end", _arguments(locals()))


class Leads(Generic[Answer]):
    """Reports sign-ups, trials, and booked calls. `lead_id` is unique, and the same each time the same lead is reported."""

    def __init__(self, deliver: "Deliver[Answer]") -> None:
        self._deliver = deliver

    def report(
        self,
        *,
        lead_id: str,
        kind: str,
        click_id: Optional[str] = None,
        discount_code: Optional[str] = None,
        customer_id: Optional[str] = None,
        occurred_at: Optional[Moment] = None,
        metadata: Optional[Mapping[str, Any]] = None,
    ) -> Answer:
        """Reports a lead. It is sent if it has a click or a discount code.

        `kind` is named as in the terms of the program, such as `sign_up`. Set `occurred_at` if your code may report the same lead twice.
        """
        return self._deliver("lead", _arguments(locals()))

    def reverse(self, *, lead_id: str, occurred_at: Optional[Moment] = None, reason: Optional[str] = None) -> Answer:
        """Reports that a lead was not real, or was canceled."""
        return self._deliver("lead_reversal", _arguments(locals()))


class Tributary:
    """Sends reports immediately. Raises for an invalid configuration; after that every outcome is a `Result`."""

    def __init__(
        self,
        *,
        base_url: str,
        tracking_key: str,
        postback_key: str,
        limits: Limits = Limits(),
        allow_plain_http: bool = False,
    ) -> None:
        base = _base_url(base_url, allow_plain_http)
        tracking_key = _key("tracking_key", tracking_key)
        key = _key("postback_key", postback_key)
        if key == tracking_key:
            raise ValueError("tracking_key and postback_key are the same; the postback key is the secret one")
        target = Target(base, quote(tracking_key, safe=""), limits)
        # The key exists in this closure only: no attribute could be printed, logged, or serialized.
        self._send: Callable[[Report], Result] = lambda report: send(report, target, key)
        self.conversions: Conversions[Result] = Conversions(self._report)
        self.subscriptions: Subscriptions[Result] = Subscriptions(self._report)
        self.leads: Leads[Result] = Leads(self._report)

    def send(self, report: Report) -> Result:
        """Sends a report that was serialized before, such as `result.report`, byte for byte."""
        return self._send(report)

    def _report(self, operation: str, fields: Mapping[str, Any]) -> Result:
        report = serialize(operation, fields)
        if isinstance(report, Unsendable):
            return Result(False, "not_sent", "no", report.reason, report.message, field=report.field)
        return self._send(report)


def _arguments(names: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in names.items() if name != "self"}


def _base_url(text: str, allow_plain_http: bool) -> Any:
    try:
        url = urlsplit(text)
        is_complete = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except (ValueError, AttributeError):
        is_complete = False
    # The URL is not part of the message, because it may contain a password.
    if not is_complete or url.query or url.fragment or url.username or url.password:
        raise ValueError("base_url must be a URL such as https://partners.example.com, without a query or a password")
    is_local = re.fullmatch(r"localhost|127(\.[0-9]+){3}|::1", url.hostname or "") is not None
    if url.scheme == "http" and not (is_local or allow_plain_http):
        raise ValueError("base_url must begin with https://, because plain HTTP exposes the postback key")
    return url._replace(path=url.path.rstrip("/"))


def _key(name: str, value: str) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]+", value):
        return value
    raise ValueError(f"{name} must be the key as the dashboard shows it, without spaces or line breaks")
