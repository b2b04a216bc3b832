import { shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

export const phpSnippet = (values: SnippetValues): string => `<?php
// POSTBACK_KEY=${shellQuote(keyOf(values))} php report_order.php
function report_paid_order(array $order): array
{
    $report = [
        'order_id' => (string) $order['id'], // text: a number is refused
        'click_id' => $order['click_id'], // as the page gave it; without a click there is nothing to report
        'currency' => 'USD',
        // Whole cents as an int: (int) (19.99 * 100) is 1998. Use (int) round(...), or keep cents.
        'order_subtotal_cents' => $order['subtotal_cents'],
        // DATE_ATOM and 'c' carry the offset; a format such as 'Y-m-d H:i:s' has none and is refused.
        'occurred_at' => $order['paid_at']->format(DATE_RFC3339_EXTENDED),
        // An empty array is written [], which is no object: leave metadata out, or write (object) [].
        'metadata' => (object) ($order['metadata'] ?? []),
    ];
    // Lines that went through array_filter have gaps and become an object: array_values makes a list of them again.
    if (!empty($order['lines'])) $report['line_items'] = array_values($order['lines']);
    if (!empty($order['is_test'])) $report['test'] = true;
    $body = json_encode($report, JSON_THROW_ON_ERROR); // otherwise invalid UTF-8 makes it false, and false is sent
    for ($attempt = 1; ; $attempt++) {
        $curl = curl_init('${values.postbacksUrl}/conversions');
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $body, // text, not the array: an array is sent as a form
            CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('POSTBACK_KEY'), 'Content-Type: application/json'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 10,
        ]);
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        // No answer and 5xx: the same body again. A 4xx is final.
        if (($answer !== false && $status < 500) || $attempt === 5) return [$status, json_decode((string) $answer, true)];
        usleep(500_000 * 2 ** $attempt);
    }
}

print_r(report_paid_order([
    'id' => 'test-' . hrtime(true),
    'click_id' => '${clickIdOf(values)}',
    'subtotal_cents' => 1000,
    'paid_at' => new DateTimeImmutable('now', new DateTimeZone('UTC')),
    'is_test' => true,
]));`;
