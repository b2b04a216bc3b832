import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CreatorSubscription } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent, formatUsd } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import type { CreatorSubscriptionsSearch } from './creator-search.ts';
import styles from './creator.module.css';
import { formats } from '../../messages/messages.ts';
import { localizeTimes } from '../../ui/localize-times.ts';
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
    fields: [{ type: 'select', name: 'state', label: t.creator_subscriptions.status, options: states }],
  });
  return (
    <Page title={t.creator_subscriptions.subscriptions} intro={t.creator_subscriptions.subscriptions_that_started_from_yo}>
      <Section title={t.creator_subscriptions.subscriptions} bare flush>
        <ListView
          list={list}
          caption={t.creator_subscriptions.your_subscriptions}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            !list.isFiltered ? (
              <EmptyState title={t.creator_subscriptions.no_subscriptions_yet}>
                {t.creator_subscriptions.when_a_customer_subscribes_through}
              </EmptyState>
            ) : (
              <EmptyState title={t.creator_subscriptions.no_matching_subscriptions}>
                {t.creator_subscriptions.choose_another_status_or_clear}
              </EmptyState>
            )
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<CreatorSubscription>> = [
  {
    title: t.creator_subscriptions.store,
    priority: true,
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  {
    title: t.creator_subscriptions.started,
    priority: true,
    cell: ({ bound_at: at, attribution_explanation: explanation }) => (
      <>
        <Time at={at} dateOnly />
        {explanation !== null && <div className={styles.muted}>{localizeTimes(explanation)}</div>}
      </>
    ),
  },
  { title: t.creator_subscriptions.commission_per_invoice, cell: ({ rule }) => ruleText(rule) },
  { title: t.creator_subscriptions.paid_invoices, kind: 'number', cell: ({ paid_invoices: count }) => formats.number(count) },
  {
    title: t.creator_subscriptions.earned_usd,
    priority: true,
    kind: 'number',
    cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  {
    title: t.creator_subscriptions.status,
    priority: true,
    cell: ({ state, held }) => (
      <span className={styles.chips}>
        {state === 'active' ? (
          <Chip label={t.creator_subscriptions.active} tone="good" meaning={t.creator_subscriptions.you_earn_a_commission_on} />
        ) : (
          <Chip label={t.creator_subscriptions.ended} tone="neutral" meaning={t.creator_subscriptions.the_subscription_ended_you} />
        )}
        {held && <Chip label={t.creator_subscriptions.on_hold} tone="wait" meaning={t.creator_subscriptions.an_invoice_doesnt_match_the} />}
      </span>
    ),
  },
];

function ruleText(rule: CreatorSubscription['rule']): string {
  if (rule === null) return t.creator_subscriptions.no_commission_no_terms_apply;
  const rate = rule.basis_points === null ? formatUsd(rule.flat_cents ?? 0) : formatPercent(rule.basis_points);
  const ends = [
    ...(rule.max_invoices === null ? [] : [t.creator_subscriptions.up_to_invoices({ maxInvoices: rule.max_invoices })]),
    ...(rule.max_months === null ? [] : [t.creator_subscriptions.for_months({ maxMonths: rule.max_months })]),
  ];
  return [rate, ...ends].join(', ');
}
