"""Amounts of money as whole cents."""

import re

MAX_SAFE_INTEGER = 9_007_199_254_740_991
_DECIMAL = re.compile(r"([0-9]{1,16})(?:\.([0-9]+))?")


def cents_from_decimal(amount: str) -> int:
    """Returns the cents of a decimal text: ``"10.05"`` is 1005.

    Takes text, because ``10.05 * 100`` is 1005.0000000000001. Digits beyond the cent must be zeros. Signs, commas, and currency
    symbols raise ValueError: a wrong guess about money is worse than an error.
    """
    match = _DECIMAL.fullmatch(amount) if isinstance(amount, str) else None
    if match:
        fraction = match.group(2) or ""
        cents = int(match.group(1) + fraction[:2].ljust(2, "0"))
        if not fraction[2:].strip("0") and cents <= MAX_SAFE_INTEGER:
            return cents
    raise ValueError('an amount must be decimal text of whole cents, such as "10.05"')
