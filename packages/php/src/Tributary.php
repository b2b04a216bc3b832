<?php

declare(strict_types=1);

namespace Tributary;

/**
 * Sends reports immediately. The constructor throws for an invalid configuration; after that every outcome is a Result.
 *
 * @extends Reports<Result>
 */
final class Tributary extends Reports
{
    private readonly Sender $sender;

    public function __construct(
        string $baseUrl,
        string $trackingKey,
        #[\SensitiveParameter] string $postbackKey,
        ?Limits $limits = null,
        bool $allowPlainHttp = false,
    ) {
        $base = self::readBaseUrl($baseUrl, $allowPlainHttp);
        self::checkKey('trackingKey', $trackingKey);
        self::checkKey('postbackKey', $postbackKey);
        if ($trackingKey === $postbackKey) {
            throw new \InvalidArgumentException('trackingKey and postbackKey are the same; the postback key is the secret one.');
        }
        $url = $base . '/api/partner-network/postbacks/' . rawurlencode($trackingKey) . '/';
        $this->sender = new Sender($url, $postbackKey, $limits ?? new Limits());
    }

    /** Sends a report that was serialized before, such as `$result->report`, byte for byte. */
    public function send(Report $report): Result
    {
        return $this->sender->send($report);
    }

    protected function deliver(Operation $operation, array $fields): Result
    {
        try {
            return $this->send(Report::serialize($operation, $fields));
        } catch (UnsendableReport $error) {
            return new Result('not_sent', 'no', $error->reason, $error->getMessage(), field: $error->field);
        }
    }

    private static function readBaseUrl(string $text, bool $allowPlainHttp): string
    {
        $url = parse_url($text);
        $isComplete = is_array($url) && in_array($url['scheme'] ?? '', ['http', 'https'], true) && ($url['host'] ?? '') !== '';
        // The URL is not part of the message, because it may contain a password.
        if (!$isComplete || isset($url['query']) || isset($url['fragment']) || isset($url['user']) || isset($url['pass'])) {
            $message = 'baseUrl must be a URL such as https://partners.example.com, without a query or a password.';
            throw new \InvalidArgumentException($message);
        }
        $isLocal = preg_match('/^(localhost|127(\.[0-9]+){3}|\[::1\])$/', $url['host']) === 1;
        if ($url['scheme'] === 'http' && !$isLocal && !$allowPlainHttp) {
            throw new \InvalidArgumentException('baseUrl must begin with https://, because plain HTTP exposes the postback key.');
        }
        return rtrim($text, '/');
    }

    private static function checkKey(string $name, #[\SensitiveParameter] string $value): void
    {
        if (preg_match('/^[\x21-\x7e]+$/D', $value) !== 1) {
            throw new \InvalidArgumentException("$name must be the key as the dashboard shows it, without spaces or line breaks.");
        }
    }
}
