import type { LogEntry } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatCount } from '../../ui/format.ts';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './tracking-log.module.css';
import { operationLabels } from './tracking-api.ts';

type LogTableProps = { readonly lines: readonly LogEntry[]; readonly show: (id: string) => void };

export function LogTable({ lines, show }: LogTableProps) {
  return <Table caption="Requests" columns={columnsOf(show)} rows={lines} keyOf={({ id }) => id} />;
}

const columnsOf = (show: LogTableProps['show']): ReadonlyArray<Column<LogEntry>> => [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'What', cell: ({ operation }) => operationLabels[operation] ?? operation },
  {
    title: 'About',
    cell: (line) => <OpenButton open={() => show(line.id)}>{line.subject ?? 'Request'}</OpenButton>,
  },
  { title: 'Answer', cell: (line) => <ResponseChip line={line} /> },
  { title: 'Notes', cell: (line) => <LineFlags line={line} /> },
];

export function ResponseChip({ line: { status, reason, explanation } }: { readonly line: LogEntry }) {
  return (
    <span className={styles.answer}>
      <Chip label={`${status} ${reason}`} tone={status === 200 ? 'good' : 'bad'} meaning={explanation} />
    </span>
  );
}

function LineFlags({ line: { test, replay, warnings } }: { readonly line: LogEntry }) {
  if (!test && !replay && warnings.length === 0) return '–';
  return (
    <span className={styles.notes}>
      {test && <Chip label="Test" tone="neutral" meaning="A test order: no money, and in no report." />}
      {replay && <Chip label="Again" tone="neutral" meaning="The same report came before; it was answered again and recorded once." />}
      {warnings.length > 0 && (
        <Chip label={formatCount(warnings.length, 'warning')} tone="wait" meaning={warnings.map(({ message }) => message).join(' ')} />
      )}
    </span>
  );
}
