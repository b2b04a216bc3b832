"""Click IDs in cookies."""

import re
from typing import Optional

CLICK_COOKIE = "_service_click"
_CLICK_ID = re.compile(r"[A-Za-z0-9._~-]{1,200}")


def is_click_id(value: object) -> bool:
    return isinstance(value, str) and _CLICK_ID.fullmatch(value) is not None


def click_from_cookie(header: Optional[str]) -> Optional[str]:
    """Returns the click ID of a request's ``Cookie`` header, or None.

    If the shop uses a consent manager, check consent first: without consent the cookie must not be read.
    """
    for pair in (header or "").split(";"):
        name, separator, value = pair.partition("=")
        if separator and name.strip() == CLICK_COOKIE and is_click_id(value.strip()):
            return value.strip()
    return None
