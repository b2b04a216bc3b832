"""Adapter of the conformance vectors: python3 conformance.py. See ../conformance/README.md."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

from tributary import Limits, Tributary, cents_from_decimal, click_from_cookie  # noqa: E402


def report(call):
    limits = call.get("limits")
    client = Tributary(
        base_url=call["base_url"],
        tracking_key=call["tracking_key"],
        postback_key=call["postback_key"],
        limits=Limits()
        if limits is None
        else Limits(
            attempts_max=limits["attempts_max"],
            timeout_seconds=limits["timeout_ms"] / 1_000,
            deadline_seconds=limits["deadline_ms"] / 1_000,
            first_pause_seconds=limits["first_pause_ms"] / 1_000,
        ),
    )
    methods = {
        "conversion": client.conversions.record,
        "reversal": client.conversions.reverse,
        "order_refund": client.conversions.refund,
        "relationship": client.subscriptions.bind,
        "billing_event": client.subscriptions.bill,
        "invoice_reversal": client.subscriptions.reverse_invoice,
        "invoice_refund": client.subscriptions.refund_invoice,
        "relationship_end": client.subscriptions.end,
        "lead": client.leads.report,
        "lead_reversal": client.leads.reverse,
    }
    result = methods[call["operation"]](**call["fields"])
    answer = {name: value for name, value in asdict(result).items() if name != "report"}
    if result.retry_after_seconds is not None:
        answer["retry_after_ms"] = round(result.retry_after_seconds * 1_000)
    return answer


def cents(call):
    try:
        return {"cents": cents_from_decimal(call["amount"])}
    except ValueError:
        return {"cents": None}


answers = {"report": report, "cents": cents, "cookie": lambda call: {"click_id": click_from_cookie(call["header"])}}
for line in sys.stdin:
    call = json.loads(line)
    print(json.dumps(answers[call["call"]](call)), flush=True)
