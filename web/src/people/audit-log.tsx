import { listing } from '../parts/reading.ts';
import { Empty } from '../parts/page.tsx';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './audit-log.module.css';

type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly actor_name: string;
  readonly action: string;
  readonly subject: string;
  readonly details: unknown;
};

/** Who did what, the newest first. */
export function AuditLog({ path }: { readonly path: string }) {
  return (
    <PagedTable
      caption="Audit log"
      list={listing<AuditEntry>(path)}
      keyOf={({ id }) => id}
      columns={columns}
      empty={<Empty title="Nothing was changed yet">Every change by a person or a key is written here, for ever.</Empty>}
    />
  );
}

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: ({ actor, actor_name: name }) => (
      <span className={styles.who} title={actor}>
        {name}
      </span>
    ),
  },
  { title: 'What', cell: ({ action }) => <strong>{actionWords(action)}</strong> },
  { title: 'On', cell: (entry) => <OnWhat {...entry} /> },
];

/** `postback_key.create` reads "postback key: create". */
const actionWords = (action: string) => action.replaceAll('_', ' ').replace('.', ': ');

function OnWhat({ subject, details }: AuditEntry) {
  const text = JSON.stringify(details, null, 1);
  const place = <span className="mono">{placeOf(subject)}</span>;
  if (text === '{}' || text === 'null') return <div className={styles.plain}>{place}</div>;
  return (
    <details className={styles.on}>
      <summary>{place}</summary>
      <pre>{text}</pre>
    </details>
  );
}

/** The path without what all have in common. */
const placeOf = (subject: string) => subject.replace('/api/v1', '').replace(/^\/stores\/[^/]+(?=\/)/, '');
