<?php

// Tests of the queue: php tests/queue.php <url of the scripted service>. Prints one line per test, and exits with 1 if one fails. The
// service accepts every report except these: `away-…` gets 503 once, `click rmc_unknown` gets 422, `wrong-key-…` gets 401 once, and
// `held-…` gets 500 active_hold. `GET /received` lists the IDs that it received.

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Tributary\Limits;
use Tributary\ReportQueue;
use Tributary\Tributary;

$url = $argv[1];
$client = new Tributary($url, 'trk_1', 'pbk_sample', new Limits(attemptsMax: 1));
$failed = 0;

function expectSame(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new RuntimeException('expected ' . json_encode($expected) . ', got ' . json_encode($actual));
    }
}

/** @return list<string> */
function received(string $url): array
{
    return json_decode(file_get_contents("$url/received"), true);
}

$tests = [
    'a report is sent once and leaves the queue' => function (ReportQueue $queue, PDO $database) use ($url): void {
        expectSame('added', $queue->recordConversion('1', 'rmc_a', 100)->status);
        expectSame('already_queued', $queue->recordConversion('1', 'rmc_a', 100)->status);
        expectSame(1, $queue->work());
        expectSame(0, $queue->work());
        expectSame(['conversions 1'], received($url));
        expectSame(0, (int) $database->query('select count(*) from tributary_reports')->fetchColumn());
    },
    'an order without a click is not queued' => function (ReportQueue $queue): void {
        expectSame('missing_referral_click', $queue->recordConversion('1', null, 100)->reason);
        expectSame(0, $queue->work());
    },
    'a refund waits for its order, and other orders do not' => function (ReportQueue $queue, PDO $database) use ($url): void {
        $queue->recordConversion('away-1', 'rmc_a', 100);
        $queue->reverseConversion('away-1');
        $queue->recordConversion('2', 'rmc_b', 100);
        $queue->work();
        $database->exec('update tributary_reports set due_at = 0');
        $queue->work();
        expectSame(['conversions away-1', 'conversions 2', 'conversions away-1', 'reversals away-1'], received($url));
    },
    'each partial refund is queued once and waits for its order' => function (ReportQueue $queue, PDO $database) use ($url): void {
        $queue->recordConversion('away-1', 'rmc_a', 100);
        expectSame('added', $queue->refundConversion('r1', 'away-1', 10)->status);
        expectSame('added', $queue->refundConversion('r2', 'away-1', 10)->status);
        expectSame('already_queued', $queue->refundConversion('r1', 'away-1', 10)->status);
        $queue->work();
        expectSame(['conversions away-1'], received($url));
        $database->exec('update tributary_reports set due_at = 0');
        $queue->work();
        expectSame(['conversions away-1', 'conversions away-1', 'refunds r1', 'refunds r2'], received($url));
        expectSame(0, (int) $database->query('select count(*) from tributary_reports')->fetchColumn());
    },
    'the reversal of a lead waits for the lead, and other leads do not' => function (ReportQueue $queue, PDO $database) use ($url): void {
        $queue->reportLead('away-1', 'sign_up', 'rmc_a');
        $queue->reverseLead('away-1');
        $queue->reportLead('2', 'sign_up', discountCode: 'SPRING');
        expectSame('already_queued', $queue->reportLead('2', 'sign_up', discountCode: 'SPRING')->status);
        $queue->work();
        expectSame(['leads away-1', 'leads 2'], received($url));
        $database->exec('update tributary_reports set due_at = 0');
        $queue->work();
        expectSame(['leads away-1', 'leads 2', 'leads away-1', 'reversals away-1'], received($url));
    },
    'a rejected report moves to the refused reports with its reason' => function (ReportQueue $queue, PDO $database): void {
        $queue->recordConversion('1', 'rmc_unknown', 100);
        $queue->work();
        expectSame('unknown_referral_click', $database->query('select reason from tributary_refused_reports')->fetchColumn());
        expectSame(0, (int) $database->query('select count(*) from tributary_reports')->fetchColumn());
    },
    'a wrong key keeps the report' => function (ReportQueue $queue, PDO $database): void {
        $queue->recordConversion('wrong-key-1', 'rmc_a', 100);
        $queue->work();
        expectSame(1, (int) $database->query('select count(*) from tributary_reports')->fetchColumn());
        $database->exec('update tributary_reports set due_at = 0');
        $queue->work();
        expectSame(0, (int) $database->query('select count(*) from tributary_reports')->fetchColumn());
    },
    'a refund on hold waits a day and delays no other report' => function (ReportQueue $queue, PDO $database) use ($url): void {
        $queue->reverseInvoice('held-1', 'sub', 'in');
        $queue->work();
        $queue->endSubscription('end-1', 'sub');
        $queue->work();
        expectSame(['reversals held-1', 'end end-1'], received($url));
        $wait = (int) $database->query('select due_at from tributary_reports')->fetchColumn() - time();
        expectSame(true, $wait > 86_300 && $wait <= 86_400);
    },
    'reports of a killed process are sent after the restart' => function (ReportQueue $queue, PDO $database) use ($url): void {
        $queue->recordConversion('1', 'rmc_a', 100);
        // A process that was killed leaves a report leased for two minutes.
        $database->exec('update tributary_reports set due_at = ' . (time() + 120));
        expectSame(0, $queue->work());
        $database->exec('update tributary_reports set due_at = due_at - 120');
        expectSame(1, $queue->work());
        expectSame(['conversions 1'], received($url));
    },
    'the client shows no key when it is dumped or serialized' => function () use ($client): void {
        ob_start();
        var_dump($client);
        expectSame(false, str_contains(ob_get_clean(), 'pbk_sample'));
        expectSame(false, str_contains(print_r($client, true), 'pbk_sample'));
        try {
            serialize($client);
        } catch (LogicException) {
            return;
        }
        throw new RuntimeException('the client was serialized');
    },
];

foreach ($tests as $title => $test) {
    file_get_contents("$url/reset");
    $database = new PDO('sqlite::memory:');
    $queue = new ReportQueue($client, $database);
    $queue->createTables();
    try {
        $test($queue, $database);
        echo "passed: $title\n";
    } catch (Throwable $error) {
        $failed += 1;
        echo "FAILED: $title: {$error->getMessage()}\n";
    }
}
exit($failed === 0 ? 0 : 1);
