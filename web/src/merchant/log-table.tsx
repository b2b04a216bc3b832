import { Chip } from '../parts/chip.tsx';
import { countOf } from '../parts/count-of.ts';
import { Opener } from '../parts/row-buttons.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './tracking-log.module.css';
import { operationWords, type LogLine } from './tracking-api.ts';

type LogTableProps = { readonly lines: readonly LogLine[]; readonly show: (id: string) => void };

export function LogTable({ lines, show }: LogTableProps) {
  return <Table caption="Requests" columns={columnsOf(show)} rows={lines} keyOf={({ id }) => id} />;
}

const columnsOf = (show: LogTableProps['show']): ReadonlyArray<Column<LogLine>> => [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'What', cell: ({ operation }) => operationWords[operation] ?? operation },
  {
    title: 'About',
    cell: (line) => <Opener open={() => show(line.id)}>{line.subject ?? 'Request'}</Opener>,
  },
  { title: 'Answer', cell: (line) => <AnswerChip line={line} /> },
  { title: 'Notes', cell: (line) => <Notes line={line} /> },
];

export function AnswerChip({ line: { status, reason, explanation } }: { readonly line: LogLine }) {
  return (
    <span className={styles.answer}>
      <Chip word={`${status} ${reason}`} tone={status === 200 ? 'good' : 'bad'} meaning={explanation} />
    </span>
  );
}

function Notes({ line: { test, replay, warnings } }: { readonly line: LogLine }) {
  if (!test && !replay && warnings.length === 0) return '–';
  return (
    <span className={styles.notes}>
      {test && <Chip word="Test" tone="calm" meaning="A test order: no money, and in no report." />}
      {replay && <Chip word="Again" tone="calm" meaning="The same report came before; it was answered again and recorded once." />}
      {warnings.length > 0 && (
        <Chip word={countOf(warnings.length, 'warning')} tone="wait" meaning={warnings.map(({ message }) => message).join(' ')} />
      )}
    </span>
  );
}
