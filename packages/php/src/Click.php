<?php

declare(strict_types=1);

namespace Tributary;

/** Click IDs in cookies. */
final class Click
{
    public const COOKIE = '_service_click';

    public static function isId(mixed $value): bool
    {
        return is_string($value) && preg_match('/^[A-Za-z0-9._~-]{1,200}$/D', $value) === 1;
    }

    /**
     * Returns the click ID in `$_COOKIE`, or null. If the shop uses a consent manager, check consent first: without consent the cookie
     * must not be read.
     *
     * @param array<string, mixed> $cookies
     */
    public static function fromCookies(array $cookies): ?string
    {
        $value = $cookies[self::COOKIE] ?? null;
        return self::isId($value) ? $value : null;
    }
}
