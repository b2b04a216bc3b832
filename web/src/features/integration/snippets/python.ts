import { shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

export const pythonSnippet = (values: SnippetValues): string => `# POSTBACK_KEY=${shellQuote(keyOf(values))} python3 report_order.py
import json, os, time, urllib.error, urllib.request
from datetime import datetime, timezone

URL = "${values.postbacksUrl}/conversions"

def report_paid_order(order):
    report = {
        "order_id": str(order["id"]),  # text: a number is refused
        "click_id": order["click_id"],  # as the page gave it; without a click there is nothing to report
        "currency": "USD",
        # Whole cents: int(Decimal("19.99") * 100). A float loses cents, and a Decimal is no JSON.
        "order_subtotal_cents": order["subtotal_cents"],
        # A naive datetime (utcnow, or one read without a zone) has no offset and is refused. isoformat() alone
        # writes six digits, or none when they are zero: say milliseconds, so that one time is always the same text.
        "occurred_at": order["paid_at"].astimezone(timezone.utc).isoformat(timespec="milliseconds"),
    }
    if order.get("is_test"):
        report["test"] = True
    headers = {"Authorization": "Bearer " + os.environ["POSTBACK_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(URL, json.dumps(report).encode(), headers, method="POST")
    for attempt in range(1, 6):
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:  # urllib raises for 4xx too, and a 4xx is final
            if error.code < 500 or attempt == 5:
                return error.code, json.load(error)
        except urllib.error.URLError:
            if attempt == 5:
                raise
        time.sleep(0.5 * 2**attempt)

if __name__ == "__main__":
    paid_at = datetime.now(timezone.utc)
    order = {"id": f"test-{paid_at.timestamp():.6f}", "click_id": "${clickIdOf(values)}", "subtotal_cents": 1000}
    print(*report_paid_order({**order, "paid_at": paid_at, "is_test": True}))`;
