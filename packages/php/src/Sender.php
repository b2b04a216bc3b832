<?php

declare(strict_types=1);

namespace Tributary;

use CurlHandle;

/** Sends a report until its response is final or the attempts are used up. */
final class Sender
{
    /** Longer pauses are left to the caller, because sending must not block for them. */
    private const PAUSE_MS_MAX = 8_000;
    private const LATER_MS = 60_000;
    private const DAY_MS = 86_400_000;
    private const RESPONSE_BYTES_MAX = 65_536;

    public function __construct(
        private readonly string $url,
        #[\SensitiveParameter] private readonly string $key,
        private readonly Limits $limits,
    ) {
    }

    /** Keeps the key out of `var_dump` and of error reports. */
    public function __debugInfo(): array
    {
        return ['url' => $this->url];
    }

    public function __serialize(): array
    {
        throw new \LogicException('The Tributary client contains a secret key and cannot be serialized.');
    }

    public function send(Report $report): Result
    {
        $endsAt = self::nowMs() + $this->limits->deadlineMs;
        for ($attempts = 1;; $attempts++) {
            $timeoutMs = max(1, (int) min($this->limits->timeoutMs, $endsAt - self::nowMs()));
            $answer = $this->attempt($report, $timeoutMs);
            [$verdict, $reason] = $answer->decide();
            if ($verdict !== 'again') {
                return $this->finish($verdict, $reason, $answer, $report, $attempts);
            }
            // Full jitter, so that senders that failed together do not retry together. The service's Retry-After is added.
            $ceiling = min(self::PAUSE_MS_MAX, $this->limits->firstPauseMs * 2 ** $attempts);
            $pauseMs = random_int(0, (int) $ceiling) + $answer->retryAfterMs;
            $isOver = $attempts >= $this->limits->attemptsMax
                || $pauseMs > 2 * self::PAUSE_MS_MAX
                || self::nowMs() + $pauseMs >= $endsAt;
            if ($isOver) {
                $laterMs = max(self::LATER_MS, $answer->retryAfterMs);
                return $this->result('unavailable', 'later', $reason, $answer, $report, $attempts, $laterMs);
            }
            usleep($pauseMs * 1_000);
        }
    }

    private function finish(string $verdict, string $reason, Answer $answer, Report $report, int $attempts): Result
    {
        return match ($verdict) {
            'done' => $this->result('accepted', 'no', $reason, $answer, $report, $attempts),
            'tomorrow' => $this->result('held', 'tomorrow', $reason, $answer, $report, $attempts, self::DAY_MS),
            default => $this->result('refused', 'no', $reason, $answer, $report, $attempts),
        };
    }

    private function result(
        string $outcome,
        string $retry,
        string $reason,
        Answer $answer,
        Report $report,
        int $attempts,
        ?int $retryAfterMs = null,
    ): Result {
        $isAccepted = $outcome === 'accepted';
        $fallback = $answer->status === null ? 'No response was received.' : "The response was HTTP {$answer->status}.";
        return new Result(
            outcome: $outcome,
            retry: $retry,
            reason: $reason,
            message: $answer->text('message') ?? $fallback,
            status: $answer->status,
            requestId: $answer->requestId,
            attempts: $attempts,
            isReplay: $isAccepted && $answer->isReplay,
            transactionId: $isAccepted ? $answer->text('transaction_id') : null,
            conversionId: $isAccepted ? $answer->text('conversion_id') : null,
            bindingId: $isAccepted ? $answer->text('binding_id') : null,
            eventId: $isAccepted ? $answer->text('event_id') : null,
            field: $answer->text('field'),
            retryAfterMs: $retryAfterMs,
            report: $report,
            refundId: $isAccepted ? $answer->text('refund_id') : null,
            leadId: $isAccepted ? $answer->text('lead_id') : null,
        );
    }

    private function attempt(Report $report, int $timeoutMs): Answer
    {
        $text = '';
        $headers = [];
        $curl = curl_init($this->url . $report->operation->path());
        curl_setopt_array($curl, [
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $report->body,
            CURLOPT_HTTPHEADER => [
                'Content-Type: application/json',
                'Accept: application/json',
                'Expect:',
                "Authorization: Bearer {$this->key}",
            ],
            CURLOPT_USERAGENT => 'tributary-php',
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function (CurlHandle $curl, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function (CurlHandle $curl, string $part) use (&$text): int {
                $text .= $part;
                // A short count aborts a response that is larger than any response of the service.
                return strlen($text) > self::RESPONSE_BYTES_MAX ? 0 : strlen($part);
            },
        ]);
        $isComplete = curl_exec($curl) !== false;
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $error = curl_errno($curl) === CURLE_OPERATION_TIMEDOUT ? 'timeout' : 'network_error';
        unset($curl);
        if (!$isComplete) {
            // The text of the error is not passed on, because a library may include secrets in it.
            return new Answer(null, error: $error);
        }
        return new Answer(
            status: $status,
            body: self::parse($text),
            requestId: $headers['request-id'] ?? null,
            retryAfterMs: self::retryAfterMs($headers['retry-after'] ?? ''),
            isReplay: ($headers['idempotent-replayed'] ?? '') === 'true',
        );
    }

    /** @return ?array<string, mixed> */
    private static function parse(string $text): ?array
    {
        $body = json_decode($text, true, 64);
        return is_array($body) && is_bool($body['ok'] ?? null) && is_string($body['reason'] ?? null) ? $body : null;
    }

    /** Seconds, or a date. */
    private static function retryAfterMs(string $header): int
    {
        if (preg_match('/^[0-9]{1,9}$/', $header) === 1) {
            return (int) $header * 1_000;
        }
        $seconds = $header === '' ? false : strtotime($header);
        return $seconds === false ? 0 : max(0, $seconds * 1_000 - (int) (microtime(true) * 1_000));
    }

    private static function nowMs(): float
    {
        return hrtime(true) / 1_000_000;
    }
}
