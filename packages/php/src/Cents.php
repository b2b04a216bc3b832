<?php

declare(strict_types=1);

namespace Tributary;

/** Amounts of money as whole cents. */
final class Cents
{
    /**
     * Returns the cents of a decimal text: `"10.05"` is 1005. Takes text, because `(int) (19.99 * 100)` is 1998. Digits beyond the cent
     * must be zeros. Signs, commas, and currency symbols throw: a wrong guess about money is worse than an error.
     */
    public static function fromDecimal(string $amount): int
    {
        if (preg_match('/^([0-9]{1,16})(?:\.([0-9]+))?$/D', $amount, $match) === 1) {
            $fraction = $match[2] ?? '';
            $cents = ltrim($match[1] . str_pad(substr($fraction, 0, 2), 2, '0'), '0');
            $isSafe = strlen($cents) < 16 || (strlen($cents) === 16 && strcmp($cents, '9007199254740991') <= 0);
            if ($isSafe && trim(substr($fraction, 2), '0') === '') {
                return (int) $cents;
            }
        }
        throw new \InvalidArgumentException('An amount must be decimal text of whole cents, such as "10.05".');
    }
}
