import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ListView, useList, type List } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './audit-log.module.css';
import { t } from './messages.ts';

type AuditLogProps = { readonly intro: string; readonly list: List<'/audit-log' | '/stores/{store}/audit-log', object> };

/** Every change and the person or key that made it, newest first. */
const AuditLog = ({ intro, list }: AuditLogProps) => (
  <Page title={t.audit_log.audit_log} intro={intro}>
    <Section title={t.audit_log.changes} bare flush>
      <ListView
        list={list}
        caption={t.audit_log.audit_log}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t.audit_log.no_changes_yet}>{t.audit_log.changes_by_people_and_api}</EmptyState>}
      />
    </Section>
  </Page>
);

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: t.audit_log.when, cell: ({ at }) => <Time at={at} /> },
  {
    title: t.audit_log.by,
    cell: ({ actor, actor_name: name }) => (
      <span className={styles.actor} title={actor}>
        {name}
      </span>
    ),
  },
  { title: t.audit_log.action, cell: ({ action }) => <strong>{actionText(action)}</strong> },
  { title: t.audit_log.object, cell: (entry) => <Subject {...entry} /> },
];

/** `postback_key.create` becomes "postback key: create". */
const actionText = (action: string) => action.replaceAll('_', ' ').replace('.', ': ');

function Subject({ subject, details }: AuditEntry) {
  const text = JSON.stringify(details, null, 1);
  const path = <span className="mono">{resourcePath(subject)}</span>;
  if (text === '{}' || text === 'null') return <div className={styles.plain}>{path}</div>;
  return (
    <details className={styles.subject}>
      <summary>{path}</summary>
      <pre>{text}</pre>
    </details>
  );
}

/** The path without its common prefix. */
const resourcePath = (subject: string) => subject.replace('/api/v1', '').replace(/^\/stores\/[^/]+(?=\/)/, '');

export function StoreAuditLog() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const list = useList<'/stores/{store}/audit-log', object>({
    search: useSearch({ from: '/signed-in/stores/$store/audit-log' }),
    navigate: useNavigate({ from: '/stores/$store/audit-log' }),
    path: apiPath('/stores/{store}/audit-log', { store }),
    fields: [],
  });
  return <AuditLog intro={t.audit_log.every_change_in_this_store} list={list} />;
}

export function OperatorAuditLog() {
  const list = useList<'/audit-log', object>({
    search: useSearch({ from: '/signed-in/operator/audit-log' }),
    navigate: useNavigate({ from: '/operator/audit-log' }),
    path: '/audit-log',
    fields: [],
  });
  return <AuditLog intro={t.audit_log.every_change_in_this_installation} list={list} />;
}
