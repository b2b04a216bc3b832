import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CreatorSubscription } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import type { CreatorSubscriptionsSearch } from './creator-search.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

const states = [
  ['active', t.creator_subscriptions.active],
  ['ended', t.creator_subscriptions.ended],
] as const;

/** The subscriptions through a creator's links and their earnings. */
export function CreatorSubscriptions() {
  const creator = useCreatorId();
  const search = useSearch({ from: '/signed-in/creator/subscriptions' });
  const navigate = useNavigate({ from: '/creator/subscriptions' });
  const list = useList<'/creators/{creator}/subscriptions', Pick<CreatorSubscriptionsSearch, 'state'>>({
    search,
    navigate,
    path: apiPath('/creators/{creator}/subscriptions', { creator }),
    fields: [{ type: 'select', name: 'state', label: t.creator_subscriptions.state, options: states }],
  });
  return (
    <Page title={t.creator_subscriptions.subscriptions} intro={t.creator_subscriptions.each_paid_invoice_of_these}>
      <Section title={t.creator_subscriptions.subscriptions} bare flush>
        <ListView
          list={list}
          caption={t.creator_subscriptions.my_subscriptions}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            !list.isFiltered ? (
              <EmptyState title={t.creator_subscriptions.no_subscription_yet}>{t.creator_subscriptions.if_a_program_pays_for}</EmptyState>
            ) : (
              <EmptyState title={t.creator_subscriptions.nothing_matches}>{t.creator_subscriptions.choose_another_state_or_all}</EmptyState>
            )
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<CreatorSubscription>> = [
  {
    title: t.creator_subscriptions.shop,
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  { title: t.creator_subscriptions.began, cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: t.creator_subscriptions.each_invoice_earns, cell: ({ rule }) => ruleText(rule) },
  { title: t.creator_subscriptions.paid_invoices, kind: 'number', cell: ({ paid_invoices: count }) => count },
  { title: t.creator_subscriptions.earned_usd, kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  {
    title: t.creator_subscriptions.state,
    cell: ({ state, held }) => (
      <span className={styles.chips}>
        {state === 'active' ? (
          <Chip label={t.creator_subscriptions.active} tone="good" meaning={t.creator_subscriptions.the_next_paid_invoice_earns} />
        ) : (
          <Chip label={t.creator_subscriptions.ended} tone="neutral" meaning={t.creator_subscriptions.the_subscription_ended_what_it} />
        )}
        {held && <Chip label={t.creator_subscriptions.held} tone="wait" meaning={t.creator_subscriptions.something_else_was_billed_than} />}
      </span>
    ),
  },
];

function ruleText(rule: CreatorSubscription['rule']): string {
  if (rule === null) return t.creator_subscriptions.nothing_no_rule_fitted;
  const rate =
    rule.basis_points === null
      ? t.creator_subscriptions.usd({ dollars: formatDollars(rule.flat_cents ?? 0) })
      : formatPercent(rule.basis_points);
  const ends = [
    ...(rule.max_invoices === null ? [] : [t.creator_subscriptions.at_most({ maxInvoices: rule.max_invoices })]),
    ...(rule.max_months === null ? [] : [t.creator_subscriptions.for({ maxMonths: rule.max_months })]),
  ];
  return [rate, ...ends].join(', ');
}
