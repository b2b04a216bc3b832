"""Report paid orders, refunds, subscriptions, and leads to Tributary. See README.md."""

from .amounts import cents_from_decimal
from .client import Conversions, Leads, Subscriptions, Tributary
from .clicks import click_from_cookie, is_click_id
from .queue import ReportQueue
from .reports import Report
from .sending import Limits, Result

__all__ = [
    "Conversions",
    "Leads",
    "Limits",
    "Report",
    "ReportQueue",
    "Result",
    "Subscriptions",
    "Tributary",
    "cents_from_decimal",
    "click_from_cookie",
    "is_click_id",
]
__version__ = "0.1.0"
