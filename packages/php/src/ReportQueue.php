<?php

declare(strict_types=1);

namespace Tributary;

use PDO;

/**
 * Adds reports to a table of the shop's database, and sends them in `work()`, which a scheduled task calls. Reports survive a crash of
 * the shop and an outage of the service. Reports about the same order, subscription, or lead are sent in the order in which they were
 * added. A report that is rejected for good moves to `tributary_refused_reports`, with its reason. Works with SQLite, MySQL, MariaDB, and
 * PostgreSQL.
 *
 * @extends Reports<Queued>
 */
final class ReportQueue extends Reports
{
    private const MINUTE = 60;
    private const HOUR = 3_600;
    private const LEASE = 120;
    private const DOUBLINGS_MAX = 6;
    private const CANDIDATES = 50;
    /** Rejected because of a key, a URL, or a setting. The report succeeds once that is fixed, so it stays in the queue. */
    private const FIXABLE = [
        'missing_postback_key', 'invalid_postback_key', 'store_archived', 'integration_disabled', 'not_found', 'unexpected_redirect',
    ];

    public function __construct(
        private readonly Tributary $tributary,
        private readonly PDO $database,
    ) {
        $database->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    }

    /** Creates the two tables if they do not exist. */
    public function createTables(): void
    {
        $number = match ($this->database->getAttribute(PDO::ATTR_DRIVER_NAME)) {
            'sqlite' => 'integer primary key autoincrement',
            'pgsql' => 'bigserial primary key',
            default => 'bigint auto_increment primary key',
        };
        // IDs of merchants have up to 500 characters, which MySQL cannot index; their hash identifies a report.
        $this->database->exec("create table if not exists tributary_reports (number $number, id_hash char(64) not null unique,
            lane_hash char(64) not null, operation varchar(40) not null, body text not null, due_at bigint not null,
            failures int not null default 0, holds_lane int not null default 1)");
        $this->database->exec('create table if not exists tributary_refused_reports (operation varchar(40) not null, body text not null,
            reason varchar(100) not null, message text not null, refused_at bigint not null)');
    }

    /** Sends up to `limit` due reports, and returns how many were sent. */
    public function work(int $limit = 100): int
    {
        for ($sent = 0; $sent < $limit; $sent++) {
            $row = $this->take();
            if ($row === null) {
                break;
            }
            $result = $this->tributary->send(new Report(Operation::from($row['operation']), $row['body']));
            $this->settle($row, $result);
        }
        return $sent;
    }

    protected function deliver(Operation $operation, array $fields): Queued
    {
        try {
            // A queued report may be received much later than its event, so it always contains the time.
            $report = Report::serialize($operation, $fields, withTime: true);
        } catch (UnsendableReport $error) {
            return new Queued('not_sent', $error->reason, $error->field, $error->getMessage());
        }
        $keys = $report->keys();
        $hash = hash('sha256', $keys['id']);
        if ($this->query('select number from tributary_reports where id_hash = ?', [$hash])->fetch() !== false) {
            return new Queued('already_queued');
        }
        $row = [$hash, hash('sha256', $keys['lane']), $operation->value, $report->body, time()];
        try {
            $this->query('insert into tributary_reports (id_hash, lane_hash, operation, body, due_at) values (?, ?, ?, ?, ?)', $row);
        } catch (\PDOException $error) {
            // Class 23: another process added the same report a moment ago.
            if (!str_starts_with((string) $error->getCode(), '23')) {
                throw $error;
            }
            return new Queued('already_queued');
        }
        return new Queued('added');
    }

    /**
     * Leases the first due report of each order, subscription, or lead. The update compares `due_at`, so only one of several processes
     * gets it.
     *
     * @return ?array<string, mixed>
     */
    private function take(): ?array
    {
        $now = time();
        $candidates = 'select number, operation, body, due_at, failures from tributary_reports r where due_at <= ? and (holds_lane = 0
            or not exists (select 1 from tributary_reports e where e.lane_hash = r.lane_hash and e.number < r.number and e.holds_lane = 1))
            order by number limit ' . self::CANDIDATES;
        foreach ($this->query($candidates, [$now])->fetchAll(PDO::FETCH_ASSOC) as $row) {
            $lease = 'update tributary_reports set due_at = ? where number = ? and due_at = ?';
            if ($this->query($lease, [$now + self::LEASE, $row['number'], $row['due_at']])->rowCount() === 1) {
                return $row;
            }
        }
        return null;
    }

    /** @param array<string, mixed> $row */
    private function settle(array $row, Result $result): void
    {
        $wait = self::wait((int) $row['failures'], $result);
        if ($wait !== null) {
            // A dispute may last for weeks, so later reports do not wait for a refund that is on hold.
            $holdsLane = $result->retry === 'tomorrow' ? 0 : 1;
            $postpone = 'update tributary_reports set due_at = ?, failures = failures + 1, holds_lane = ? where number = ?';
            $this->query($postpone, [time() + $wait, $holdsLane, $row['number']]);
            return;
        }
        if (!$result->isOk()) {
            // Inserted before the report is deleted: a crash between the two sends the report once more, and loses nothing.
            $refused = [$row['operation'], $row['body'], $result->reason, $result->message, time()];
            $this->query('insert into tributary_refused_reports values (?, ?, ?, ?, ?)', $refused);
        }
        $this->query('delete from tributary_reports where number = ?', [$row['number']]);
    }

    /** Seconds until the next attempt, or null if the report is finished. An outage is retried for as long as it lasts. */
    private static function wait(int $failures, Result $result): ?int
    {
        if ($result->isOk()) {
            return null;
        }
        $isFixable = in_array($result->reason, self::FIXABLE, true) || str_starts_with($result->reason, 'http_');
        if ($result->outcome === 'refused' && $isFixable) {
            return self::HOUR;
        }
        if ($result->retry === 'no') {
            return null;
        }
        $pause = intdiv($result->retryAfterMs ?? 0, 1_000);
        if ($result->retry === 'tomorrow') {
            return $pause;
        }
        return max($pause, min(self::HOUR, self::MINUTE * 2 ** min($failures, self::DOUBLINGS_MAX)));
    }

    /** @param list<mixed> $values */
    private function query(string $sql, array $values): \PDOStatement
    {
        $statement = $this->database->prepare($sql);
        $statement->execute($values);
        return $statement;
    }
}
