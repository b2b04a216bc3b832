import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ListView, useList, type List } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './audit-log.module.css';
import { AuditSentence } from './audit-sentence.tsx';
import { t } from './messages.ts';

type AuditLogProps = {
  readonly intro: string;
  readonly list: List<'/audit-log' | '/stores/{store}/audit-log', object>;
  readonly columns: ReadonlyArray<Column<AuditEntry>>;
};

/** Every change and the person or key that made it, newest first. */
const AuditLog = ({ intro, list, columns }: AuditLogProps) => (
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

const when: Column<AuditEntry> = { title: t.audit_log.when, cell: ({ at }) => <Time at={at} /> };
const technical: Column<AuditEntry> = { title: t.audit_log.technical_details, cell: (entry) => <TechnicalDetails entry={entry} /> };

const columnsOfStore: ReadonlyArray<Column<AuditEntry>> = [
  when,
  { title: t.audit_log.what_happened, cell: (entry) => <AuditSentence entry={entry} /> },
  technical,
];

const columnsOfOperator: ReadonlyArray<Column<AuditEntry>> = [
  when,
  { title: t.audit_log.what_happened, cell: (entry) => <AuditSentence entry={entry} forOperator /> },
  { title: t.audit_log.store, cell: ({ objects }) => objects.find(({ type }) => type === 'store')?.name ?? t.audit_log.none },
  technical,
];

/** The name of the action in the API, its path, and its input. */
function TechnicalDetails({ entry: { action, subject, actor, request_id: request, details } }: { readonly entry: AuditEntry }) {
  return (
    <details className={styles.technical}>
      <summary className="mono">{action}</summary>
      <pre>{JSON.stringify({ actor, subject, request_id: request, details }, null, 1)}</pre>
    </details>
  );
}

export function StoreAuditLog() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const list = useList<'/stores/{store}/audit-log', object>({
    search: useSearch({ from: '/signed-in/stores/$store/audit-log' }),
    navigate: useNavigate({ from: '/stores/$store/audit-log' }),
    path: apiPath('/stores/{store}/audit-log', { store }),
    fields: [],
  });
  return <AuditLog intro={t.audit_log.every_change_in_this_store} list={list} columns={columnsOfStore} />;
}

export function OperatorAuditLog() {
  const list = useList<'/audit-log', object>({
    search: useSearch({ from: '/signed-in/operator/audit-log' }),
    navigate: useNavigate({ from: '/operator/audit-log' }),
    path: '/audit-log',
    fields: [],
  });
  return <AuditLog intro={t.audit_log.every_change_in_this_installation} list={list} columns={columnsOfOperator} />;
}
