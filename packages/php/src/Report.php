<?php

declare(strict_types=1);

namespace Tributary;

use DateTimeImmutable;
use DateTimeInterface;
use DateTimeZone;
use JsonException;

/** A report as it is sent: every attempt sends these bytes. It contains no key and may be stored anywhere. */
final class Report
{
    private const MAX_SAFE_INTEGER = 9_007_199_254_740_991;
    private const LINE_FIELDS = ['product_id', 'amount_minor_units', 'quantity'];

    public function __construct(
        public readonly Operation $operation,
        public readonly string $body,
    ) {
    }

    /**
     * Serializes a report once, including its time. Null means that a field is absent.
     *
     * @param array<string, mixed> $given
     * @throws UnsendableReport
     */
    public static function serialize(Operation $operation, array $given, bool $withTime = false): self
    {
        $fields = $operation->fields();
        $hasClick = ($given['click_id'] ?? '') !== '';
        if (in_array('click_id', $fields, true) && !$hasClick && !self::hasCode($operation, $given)) {
            $missing = $operation === Operation::Lead ? 'and no discount code' : 'and no discount_codes, not even an empty list';
            throw new UnsendableReport('missing_referral_click', 'click_id', "The report has no click $missing.");
        }
        if (in_array('currency', $fields, true)) {
            $given['currency'] ??= 'USD';
        }
        if (in_array('environment', $fields, true)) {
            $given['environment'] ??= 'live';
        }
        if ($operation->needsTime() || $withTime) {
            $given['occurred_at'] ??= new DateTimeImmutable();
        }
        return new self($operation, self::encode(self::toWire($given, $fields, ''), ''));
    }

    /** @return array{id: string, lane: string} its ID in a queue, and the order, subscription, or lead whose reports are sent in order */
    public function keys(): array
    {
        $body = json_decode($this->body, true);
        [$own, $shared] = $this->operation->keyFields();
        return [
            'id' => $this->operation->value . ' ' . ($body[$own] ?? ''),
            'lane' => $shared . ' ' . ($body[$shared] ?? ''),
        ];
    }

    /**
     * A lead needs a click or a code. Orders and subscriptions may also earn for a returning customer, so an empty list is enough.
     *
     * @param array<string, mixed> $given
     */
    private static function hasCode(Operation $operation, array $given): bool
    {
        return $operation === Operation::Lead ? ($given['discount_code'] ?? '') !== '' : isset($given['discount_codes']);
    }

    /**
     * @param array<array-key, mixed> $given
     * @param list<string> $fields
     * @return array<string, mixed>
     */
    private static function toWire(array $given, array $fields, string $prefix): array
    {
        $present = array_filter($given, static fn (mixed $value): bool => $value !== null);
        foreach (array_keys($present) as $name) {
            if (!in_array($name, $fields, true)) {
                throw self::invalid($prefix . $name, 'is not a field of this report. Its fields are ' . implode(', ', $fields));
            }
        }
        $wire = [];
        foreach ($fields as $name) {
            if (array_key_exists($name, $present)) {
                $wire[$name] = self::value($prefix . $name, $present[$name]);
            }
        }
        return $wire;
    }

    private static function value(string $name, mixed $value): mixed
    {
        if ($name === 'line_items') {
            return self::lines($value);
        }
        if ($value instanceof DateTimeInterface) {
            $utc = DateTimeImmutable::createFromInterface($value)->setTimezone(new DateTimeZone('UTC'));
            return $utc->format('Y-m-d\TH:i:s.v\Z');
        }
        if (preg_match('/(_cents|_units|quantity)$/', $name) === 1) {
            if (!is_int($value) || abs($value) > self::MAX_SAFE_INTEGER) {
                throw self::invalid($name, 'must be a whole number of at most 9007199254740991, such as 1005 for $10.05');
            }
            return $value;
        }
        // PHP has one type for lists and objects; the service reads an empty list as an empty object.
        self::encode($value, $name);
        return $value;
    }

    /** @return list<array<string, mixed>> */
    private static function lines(mixed $lines): array
    {
        if (!is_array($lines) || !array_is_list($lines)) {
            throw self::invalid('line_items', 'must be a list of arrays');
        }
        $wire = [];
        foreach ($lines as $index => $line) {
            if (!is_array($line)) {
                throw self::invalid("line_items[$index]", 'must be an array');
            }
            $wire[] = self::toWire($line, self::LINE_FIELDS, "line_items[$index].");
        }
        return $wire;
    }

    private static function encode(mixed $value, string $name): string
    {
        try {
            return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES, 64);
        } catch (JsonException) {
            throw self::invalid($name, 'must be UTF-8 text, a number, or an array that JSON can represent');
        }
    }

    private static function invalid(string $name, string $problem): UnsendableReport
    {
        return new UnsendableReport('invalid_payload', $name, "$name $problem.");
    }
}
