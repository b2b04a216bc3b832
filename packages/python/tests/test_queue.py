"""Tests of the queue: python3 -m unittest discover -s tests, in this folder's parent."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SOURCE = str(Path(__file__).parent.parent / "src")
sys.path.insert(0, SOURCE)

from tributary import Limits, ReportQueue, Tributary  # noqa: E402

ACCEPTED = (200, {"ok": True, "reason": "recorded"})
AWAY = (503, {"ok": False, "reason": "temporarily_unavailable"})


class Server:
    """Answers each request with the next answer, then repeats the last one."""

    def __init__(self, *answers):
        self.received = []
        self.answers = list(answers)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.received.append((self.path.rsplit("/", 1)[-1], body))
                status, answer = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                time.sleep(0.02)
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_arguments):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


class QueueTest(unittest.TestCase):
    def open(self, *answers):
        server = Server(*answers)
        self.addCleanup(server.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "reports.sqlite")
        client = Tributary(
            base_url=server.url,
            tracking_key="trk_1",
            postback_key="pbk_sample",
            limits=Limits(attempts_max=1, first_pause_seconds=0.001),
        )
        return server, ReportQueue(client, path), path

    def due_now(self, path):
        with sqlite3.connect(path) as database:
            database.execute("update reports set due_at = 0")

    def rows(self, path, table="reports"):
        with sqlite3.connect(path) as database:
            return database.execute(f"select * from {table}").fetchall()

    def test_a_report_is_sent_once_and_leaves_the_queue(self):
        server, queue, path = self.open(ACCEPTED)
        added = queue.conversions.record(order_id="1", click_id="rmc_a", order_subtotal_cents=100)
        again = queue.conversions.record(order_id="1", click_id="rmc_a", order_subtotal_cents=100)
        self.assertEqual((added.status, again.status), ("added", "already_queued"))
        self.assertEqual(queue.work(), 1)
        self.assertEqual(queue.work(), 0)
        self.assertEqual([path for path, _ in server.received], ["conversions"])
        self.assertIn("occurred_at", server.received[0][1])
        self.assertEqual(self.rows(path), [])

    def test_an_order_without_a_click_is_not_queued(self):
        _, queue, path = self.open(ACCEPTED)
        self.assertEqual(queue.conversions.record(order_id="1", click_id=None, order_subtotal_cents=1).reason, "missing_referral_click")
        self.assertEqual(self.rows(path), [])

    def test_a_refund_waits_for_its_order_and_other_orders_do_not(self):
        server, queue, path = self.open(AWAY, ACCEPTED)
        queue.conversions.record(order_id="1", click_id="rmc_a", order_subtotal_cents=100)
        queue.conversions.reverse(order_id="1")
        queue.conversions.record(order_id="2", click_id="rmc_b", order_subtotal_cents=100)
        queue.work()
        self.assertEqual([(path, body["order_id"]) for path, body in server.received], [("conversions", "1"), ("conversions", "2")])
        self.due_now(path)
        queue.work()
        self.assertEqual([path for path, _ in server.received[2:]], ["conversions", "reversals"])
        self.assertEqual(server.received[0][1], server.received[2][1])

    def test_each_partial_refund_is_queued_once_and_waits_for_its_order(self):
        server, queue, path = self.open(AWAY, ACCEPTED)
        queue.conversions.record(order_id="1", click_id="rmc_a", order_subtotal_cents=100)
        statuses = [queue.conversions.refund(refund_id=name, order_id="1", amount_cents=10).status for name in ("r1", "r2", "r1")]
        self.assertEqual(statuses, ["added", "added", "already_queued"])
        queue.work()
        self.assertEqual(len(server.received), 1)
        self.due_now(path)
        queue.work()
        self.assertEqual([body.get("refund_id") for _, body in server.received[1:]], [None, "r1", "r2"])

    def test_the_reversal_of_a_lead_waits_for_the_lead_and_other_leads_do_not(self):
        server, queue, path = self.open(AWAY, ACCEPTED)
        queue.leads.report(lead_id="1", kind="sign_up", click_id="rmc_a")
        queue.leads.reverse(lead_id="1")
        statuses = [queue.leads.report(lead_id="2", kind="sign_up", discount_code="SPRING").status for _ in range(2)]
        self.assertEqual(statuses, ["added", "already_queued"])
        queue.work()
        self.assertEqual([(path, body["lead_id"]) for path, body in server.received], [("leads", "1"), ("leads", "2")])
        self.due_now(path)
        queue.work()
        self.assertEqual([path for path, _ in server.received[2:]], ["leads", "reversals"])

    def test_a_rejected_report_moves_to_refused_reports_with_its_reason(self):
        _, queue, path = self.open((422, {"ok": False, "reason": "unknown_referral_click", "message": "No."}))
        queue.conversions.record(order_id="1", click_id="rmc_a", order_subtotal_cents=100)
        queue.work()
        self.assertEqual(self.rows(path), [])
        self.assertEqual(self.rows(path, "refused_reports")[0][3:5], ("unknown_referral_click", "No."))

    def test_a_wrong_key_keeps_the_report(self):
        _, queue, path = self.open((401, {"ok": False, "reason": "invalid_postback_key"}), ACCEPTED)
        queue.conversions.record(order_id="1", click_id="rmc_a", order_subtotal_cents=100)
        queue.work()
        self.due_now(path)
        queue.work()
        self.assertEqual((self.rows(path), self.rows(path, "refused_reports")), ([], []))

    def test_a_refund_on_hold_waits_a_day_and_delays_no_other_report(self):
        server, queue, path = self.open((500, {"ok": False, "reason": "active_hold"}), ACCEPTED)
        queue.subscriptions.reverse_invoice(event_id="e1", relationship_id="s", invoice_id="i")
        queue.work()
        queue.subscriptions.end(event_id="e2", relationship_id="s")
        queue.work()
        self.assertEqual([body["event_id"] for _, body in server.received], ["e1", "e2"])
        with sqlite3.connect(path) as database:
            (due_at,) = database.execute("select due_at from reports").fetchone()
        self.assertAlmostEqual(due_at - time.time(), 86_400, delta=60)

    def test_a_killed_process_loses_no_report(self):
        server, queue, path = self.open(ACCEPTED)
        for number in range(40):
            queue.conversions.record(order_id=str(number), click_id="rmc_a", order_subtotal_cents=100)
        program = (
            f"import sys; sys.path.insert(0, {SOURCE!r}); from tributary import ReportQueue, Tributary;"
            f"ReportQueue(Tributary(base_url={server.url!r}, tracking_key='trk_1', postback_key='pbk_sample'), {path!r}).work()"
        )
        for _ in range(3):
            process = subprocess.Popen([sys.executable, "-c", program])
            already = len(server.received)
            deadline = time.monotonic() + 10
            while len(server.received) < already + 5 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.due_now(path)
        queue.work()
        self.assertEqual({body["order_id"] for _, body in server.received}, {str(number) for number in range(40)})
        self.assertEqual(self.rows(path), [])


if __name__ == "__main__":
    unittest.main()
