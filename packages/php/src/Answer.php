<?php

declare(strict_types=1);

namespace Tributary;

/** One attempt: a response, parsed as far as possible, or none (`status` is null). */
final class Answer
{
    /** @param ?array<string, mixed> $body */
    public function __construct(
        public readonly ?int $status,
        public readonly ?array $body = null,
        public readonly string $error = '',
        public readonly ?string $requestId = null,
        public readonly int $retryAfterMs = 0,
        public readonly bool $isReplay = false,
    ) {
    }

    /**
     * Decides by status and reason. Network errors and 5xx are retried, with three exceptions; everything else is final.
     *
     * @return array{'done'|'stop'|'tomorrow'|'again', string} what to do, and the reason
     */
    public function decide(): array
    {
        if ($this->status === null) {
            return ['again', $this->error];
        }
        if ($this->status >= 200 && $this->status < 300) {
            // A page of a proxy or a truncated response does not confirm that the service recorded the report.
            return ($this->body['ok'] ?? false) === true ? ['done', $this->body['reason']] : ['again', 'unreadable_answer'];
        }
        if ($this->status >= 300 && $this->status < 400) {
            // A redirect is never followed, because the key would be sent along.
            return ['stop', 'unexpected_redirect'];
        }
        $reason = $this->body['reason'] ?? "http_{$this->status}";
        if ($this->status < 500 || $reason === 'duplicate_event') {
            return ['stop', $reason];
        }
        return [in_array($reason, ['active_hold', 'invoice_in_progress'], true) ? 'tomorrow' : 'again', $reason];
    }

    public function text(string $name): ?string
    {
        $value = $this->body[$name] ?? null;
        return is_string($value) || is_int($value) ? (string) $value : null;
    }
}
