import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CreatorSubscription } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent, formatCount } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useCreatorId } from './creator-api.ts';
import type { CreatorSubscriptionsSearch } from './creator-search.ts';
import styles from './creator.module.css';

const states = [
  ['active', 'Active'],
  ['ended', 'Ended'],
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
    fields: [{ type: 'select', name: 'state', label: 'State', options: states }],
  });
  return (
    <Page title="Subscriptions" intro="Each paid invoice of these earns by the rule that held when the subscription began.">
      <Section title="Subscriptions" bare flush>
        <ListView
          list={list}
          caption="My subscriptions"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            !list.isFiltered ? (
              <EmptyState title="No subscription yet">
                If a program pays for subscriptions, those that come through your links stand here, with each invoice that was paid.
              </EmptyState>
            ) : (
              <EmptyState title="Nothing matches">Choose another state, or all of them.</EmptyState>
            )
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<CreatorSubscription>> = [
  {
    title: 'Shop',
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  { title: 'Began', cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Each invoice earns', cell: ({ rule }) => ruleText(rule) },
  { title: 'Paid invoices', kind: 'number', cell: ({ paid_invoices: count }) => count },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  {
    title: 'State',
    cell: ({ state, held }) => (
      <span className={styles.chips}>
        {state === 'active' ? (
          <Chip label="Active" tone="good" meaning="The next paid invoice earns again, up to the limit of the rule." />
        ) : (
          <Chip label="Ended" tone="neutral" meaning="The subscription ended. What it earned stays yours." />
        )}
        {held && <Chip label="Held" tone="wait" meaning="Something else was billed than was bound. The merchant looks into it." />}
      </span>
    ),
  },
];

function ruleText(rule: CreatorSubscription['rule']): string {
  if (rule === null) return 'nothing: no rule fitted';
  const rate = rule.basis_points === null ? `${formatDollars(rule.flat_cents ?? 0)} USD` : formatPercent(rule.basis_points);
  const ends = [
    ...(rule.max_invoices === null ? [] : [`at most ${formatCount(rule.max_invoices, 'invoice')}`]),
    ...(rule.max_months === null ? [] : [`for ${formatCount(rule.max_months, 'month')}`]),
  ];
  return [rate, ...ends].join(', ');
}
