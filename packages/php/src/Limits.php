<?php

declare(strict_types=1);

namespace Tributary;

/** Limits for retries. */
final class Limits
{
    public function __construct(
        public readonly int $attemptsMax = 5,
        /** For one attempt, to the last byte of its response. */
        public readonly int $timeoutMs = 10_000,
        /** For all attempts and the pauses between them. */
        public readonly int $deadlineMs = 30_000,
        public readonly int $firstPauseMs = 200,
    ) {
    }
}
