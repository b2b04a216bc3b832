<?php

// Adapter of the conformance vectors: php conformance.php. See ../conformance/README.md.

declare(strict_types=1);

require __DIR__ . '/autoload.php';

use Tributary\Cents;
use Tributary\Click;
use Tributary\Limits;
use Tributary\Tributary;

const METHODS = [
    'conversion' => 'recordConversion',
    'reversal' => 'reverseConversion',
    'order_refund' => 'refundConversion',
    'relationship' => 'bindSubscription',
    'billing_event' => 'billSubscription',
    'invoice_reversal' => 'reverseInvoice',
    'invoice_refund' => 'refundInvoice',
    'relationship_end' => 'endSubscription',
    'lead' => 'reportLead',
    'lead_reversal' => 'reverseLead',
];

function camelCase(string $name): string
{
    return lcfirst(str_replace('_', '', ucwords($name, '_')));
}

/** @param array<string, mixed> $call */
function report(array $call): array
{
    $limits = isset($call['limits'])
        ? new Limits(
            attemptsMax: $call['limits']['attempts_max'],
            timeoutMs: $call['limits']['timeout_ms'],
            deadlineMs: $call['limits']['deadline_ms'],
            firstPauseMs: $call['limits']['first_pause_ms'],
        )
        : null;
    $client = new Tributary($call['base_url'], $call['tracking_key'], $call['postback_key'], $limits);
    $fields = [];
    foreach ($call['fields'] as $name => $value) {
        $fields[camelCase($name)] = $value;
    }
    $result = get_object_vars($client->{METHODS[$call['operation']]}(...$fields));
    unset($result['report']);
    $answer = [];
    foreach ($result as $name => $value) {
        $answer[strtolower(preg_replace('/[A-Z]/', '_$0', $name))] = $value;
    }
    return $answer;
}

function cents(string $amount): ?int
{
    try {
        return Cents::fromDecimal($amount);
    } catch (InvalidArgumentException) {
        return null;
    }
}

/** As PHP reads the header into $_COOKIE. */
function cookies(string $header): array
{
    $cookies = [];
    foreach (explode(';', $header) as $pair) {
        [$name, $value] = [...explode('=', $pair, 2), ''];
        $cookies[trim($name)] = trim($value);
    }
    return $cookies;
}

while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true, 64, JSON_THROW_ON_ERROR);
    $answer = match ($call['call']) {
        'report' => report($call),
        'cents' => ['cents' => cents($call['amount'])],
        'cookie' => ['click_id' => Click::fromCookies(cookies($call['header']))],
    };
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
