<?php

declare(strict_types=1);

namespace Tributary;

/** The result of a report. `retry` says what is left to do. */
final class Result
{
    /**
     * @param 'accepted'|'refused'|'not_sent'|'held'|'unavailable' $outcome
     * @param 'no'|'later'|'tomorrow' $retry `later`: send `report` again after `retryAfterMs`. `tomorrow`: once a day, until the hold is decided.
     * @param string $reason machine-readable. Branch on `ok`, `retry`, and `reason`, never on `message`.
     * @param ?int $status HTTP status of the last response; null if there was none
     * @param ?string $requestId the service's ID of the request, for its tracking log
     * @param bool $isReplay the report had been accepted before, and nothing was recorded twice
     */
    public function __construct(
        public readonly string $outcome,
        public readonly string $retry,
        public readonly string $reason,
        public readonly string $message,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly int $attempts = 0,
        public readonly bool $isReplay = false,
        public readonly ?string $transactionId = null,
        public readonly ?string $conversionId = null,
        public readonly ?string $bindingId = null,
        public readonly ?string $eventId = null,
        public readonly ?string $field = null,
        public readonly ?int $retryAfterMs = null,
        public readonly ?Report $report = null,
        public readonly ?string $refundId = null,
        public readonly ?string $leadId = null,
    ) {
    }

    public function isOk(): bool
    {
        return $this->outcome === 'accepted';
    }
}
