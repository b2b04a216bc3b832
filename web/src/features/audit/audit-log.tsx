import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { type FilterField, ListView, useList, type List } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiPageQuery } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './audit-log.module.css';
import type { AuditFilter } from './audit-search.ts';
import { actorText, AuditSentence, system } from './audit-sentence.tsx';
import { t } from './messages.ts';

type AuditLogProps = {
  readonly intro: string;
  readonly list: List<'/audit-log' | '/stores/{store}/audit-log', AuditFilter>;
  readonly columns: ReadonlyArray<Column<AuditEntry>>;
};

/** Every change and the person or key that made it. */
const AuditLog = ({ intro, list, columns }: AuditLogProps) => (
  <Page title={t.audit_log.audit_log} intro={intro}>
    <Section title={t.audit_log.changes} bare flush>
      <ListView
        list={list}
        caption={t.audit_log.audit_log}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          list.isFiltered ? (
            <EmptyState title={t.audit_log.no_matching_changes}>{t.audit_log.change_or_clear_the_filters}</EmptyState>
          ) : (
            <EmptyState title={t.audit_log.no_changes_yet}>{t.audit_log.changes_by_people_and_api}</EmptyState>
          )
        }
      />
    </Section>
  </Page>
);

const when: Column<AuditEntry> = { title: t.audit_log.when, sort: 'at', priority: true, cell: ({ at }) => <Time at={at} /> };
const technical: Column<AuditEntry> = { title: t.audit_log.technical_details, cell: (entry) => <TechnicalDetails entry={entry} /> };

const columnsOfStore: ReadonlyArray<Column<AuditEntry>> = [
  when,
  { title: t.audit_log.what_happened, priority: true, cell: (entry) => <AuditSentence entry={entry} /> },
  { ...technical, priority: true },
];

const columnsOfOperator: ReadonlyArray<Column<AuditEntry>> = [
  when,
  { title: t.audit_log.what_happened, priority: true, cell: (entry) => <AuditSentence entry={entry} forOperator /> },
  {
    title: t.audit_log.store,
    priority: true,
    cell: ({ objects }) => objects.find(({ type }) => type === 'store')?.name ?? t.audit_log.none,
  },
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

type Person = { readonly user_id: string; readonly name: string };

/** The people of the team, and who else made a listed change: API keys, former members, and the service itself. */
function actorOptions(people: readonly Person[], entries: readonly AuditEntry[], chosen: string | undefined) {
  const names = new Map(people.map(({ user_id: id, name }) => [id, name]));
  for (const entry of entries) if (!names.has(entry.actor)) names.set(entry.actor, actorText(entry));
  names.set(system, t.audit_log.automatic);
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen);
  return [...names];
}

type Areas = ReadonlyArray<readonly [value: string, label: string]>;
const allAreas: Areas = Object.entries(t.audit_areas);
/** A payout has commissions of several stores. */
const areasOfStore: Areas = allAreas.filter(([area]) => area !== 'payouts');

type FieldOptions = { readonly people: readonly Person[]; readonly areas: Areas; readonly actor: string | undefined };

const fieldsOf = ({ people, areas, actor }: FieldOptions): ReadonlyArray<FilterField<AuditEntry, AuditFilter>> => [
  { type: 'select', name: 'actor', label: t.audit_log.person, options: (entries) => actorOptions(people, entries, actor) },
  { type: 'select', name: 'area', label: t.audit_log.area, options: areas },
  { type: 'days', from: { name: 'from', label: t.audit_log.from }, to: { name: 'to', label: t.audit_log.to } },
];

export function StoreAuditLog() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/audit-log' });
  const people = useQuery(apiPageQuery<'/stores/{store}/team'>(apiPath('/stores/{store}/team', { store }))).data?.data ?? [];
  const list = useList<'/stores/{store}/audit-log', AuditFilter>({
    search,
    navigate: useNavigate({ from: '/stores/$store/audit-log' }),
    path: apiPath('/stores/{store}/audit-log', { store }),
    defaultSort: '-at',
    fields: fieldsOf({ people, areas: areasOfStore, actor: search.actor }),
  });
  return <AuditLog intro={t.audit_log.every_change_in_this_store} list={list} columns={columnsOfStore} />;
}

export function OperatorAuditLog() {
  const search = useSearch({ from: '/signed-in/operator/audit-log' });
  const people = useQuery(apiPageQuery<'/operators'>('/operators')).data?.data ?? [];
  const list = useList<'/audit-log', AuditFilter>({
    search,
    navigate: useNavigate({ from: '/operator/audit-log' }),
    path: '/audit-log',
    defaultSort: '-at',
    fields: fieldsOf({ people, areas: allAreas, actor: search.actor }),
  });
  return <AuditLog intro={t.audit_log.every_change_in_this_installation} list={list} columns={columnsOfOperator} />;
}
