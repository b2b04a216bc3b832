<?php

declare(strict_types=1);

namespace Tributary;

/** The result of adding a report to a queue. */
final class Queued
{
    /** @param 'added'|'already_queued'|'not_sent' $status `not_sent`: the report is invalid, as `reason` and `field` say */
    public function __construct(
        public readonly string $status,
        public readonly ?string $reason = null,
        public readonly ?string $field = null,
        public readonly ?string $message = null,
    ) {
    }
}
