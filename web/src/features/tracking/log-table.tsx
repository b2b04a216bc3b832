import type { LogEntry } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatCount } from '../../ui/format.ts';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './tracking-log.module.css';
import { operationLabels } from './operation-labels.ts';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

type LogTableProps = { readonly lines: readonly LogEntry[]; readonly show: (id: string) => void };

export function LogTable({ lines, show }: LogTableProps) {
  return <Table caption={t.log_table.requests} columns={logColumns(lines, show)} rows={lines} keyOf={({ id }) => id} />;
}

export const logColumns = (lines: LogTableProps['lines'], show: LogTableProps['show']): ReadonlyArray<Column<LogEntry>> => [
  { title: t.log_table.when, sort: 'at', priority: true, cell: ({ at }) => <Time at={at} /> },
  { title: t.log_table.type, cell: ({ operation }) => operationLabels[operation] ?? operation },
  {
    title: t.log_table.reference,
    priority: true,
    cell: (line) => <OpenButton open={() => show(line.id)}>{line.subject ?? t.log_table.request}</OpenButton>,
  },
  { title: t.log_table.response, priority: true, cell: (line) => <ResponseChip line={line} /> },
  ...(lines.some(hasNote) ? [{ title: t.log_table.notes, cell: (line: LogEntry) => <Notes line={line} /> }] : []),
];

const isFailed = ({ status }: LogEntry): boolean => status !== 200;
const hasNote = (line: LogEntry): boolean => isFailed(line) || line.test || line.replay || line.warnings.length > 0;

export function ResponseChip({ line: { status, reason, explanation } }: { readonly line: LogEntry }) {
  return (
    <span className={styles.answer}>
      <Chip label={`${status} ${reason}`} tone={status === 200 ? 'good' : 'bad'} meaning={localizeTimes(explanation)} />
    </span>
  );
}

/** Why a request failed, and what else is unusual about it. */
function Notes({ line }: { readonly line: LogEntry }) {
  const { test, replay, warnings, explanation } = line;
  return (
    <span className={styles.notes}>
      {isFailed(line) && <span className={styles.why}>{localizeTimes(explanation)}</span>}
      {test && <Chip label={t.log_table.test} tone="neutral" meaning={t.log_table.a_test_order_it_moves} />}
      {replay && <Chip label={t.log_table.repeat} tone="neutral" meaning={t.log_table.an_identical_postback_was_received} />}
      {warnings.length > 0 && (
        <Chip label={formatCount(warnings.length, 'warning')} tone="wait" meaning={warnings.map(({ message }) => message).join(' ')} />
      )}
    </span>
  );
}
