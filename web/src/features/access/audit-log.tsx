import { useParams } from '@tanstack/react-router';
import type { AuditEntry } from '../../api/api-schema.ts';
import { apiPath, type PathTo } from '../../api/operations.ts';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiListQuery } from '../../ui/queries.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './audit-log.module.css';

/** Every change and the person or key that made it, newest first. */
function AuditLogTable({ path }: { readonly path: PathTo<'/audit-log' | '/stores/{store}/audit-log'> }) {
  return (
    <PagedTable
      caption="Audit log"
      list={apiListQuery(path)}
      keyOf={({ id }) => id}
      columns={columns}
      empty={<EmptyState title="Nothing was changed yet">Every change by a person or a key is written here, for ever.</EmptyState>}
    />
  );
}

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: ({ actor, actor_name: name }) => (
      <span className={styles.actor} title={actor}>
        {name}
      </span>
    ),
  },
  { title: 'What', cell: ({ action }) => <strong>{actionText(action)}</strong> },
  { title: 'On', cell: (entry) => <Subject {...entry} /> },
];

/** `postback_key.create` becomes "postback key: create". */
const actionText = (action: string) => action.replaceAll('_', ' ').replace('.', ': ');

function Subject({ subject, details }: AuditEntry) {
  const text = JSON.stringify(details, null, 1);
  const index = <span className="mono">{resourcePath(subject)}</span>;
  if (text === '{}' || text === 'null') return <div className={styles.plain}>{index}</div>;
  return (
    <details className={styles.subject}>
      <summary>{index}</summary>
      <pre>{text}</pre>
    </details>
  );
}

/** The path without its common prefix. */
const resourcePath = (subject: string) => subject.replace('/api/v1', '').replace(/^\/stores\/[^/]+(?=\/)/, '');

export function StoreAuditLog() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  return (
    <Page title="Audit log" intro="Every change in this store, by people and by keys, kept for ever.">
      <Section title="Changes" bare flush>
        <AuditLogTable path={apiPath('/stores/{store}/audit-log', { store })} />
      </Section>
    </Page>
  );
}

export function OperatorAuditLog() {
  return (
    <Page title="Audit log" intro="Every change in this installation, by people and by keys, kept for ever.">
      <Section title="Changes" bare flush>
        <AuditLogTable path="/audit-log" />
      </Section>
    </Page>
  );
}
