import { useNavigate, useSearch } from '@tanstack/react-router';
import { dollarsOf, percentOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { countOf } from '../parts/count-of.ts';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { listing } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useCreatorId, type OwnSubscription } from './creator-api.ts';
import styles from './creator.module.css';

const states = [
  ['active', 'Active'],
  ['ended', 'Ended'],
] as const;

/** Who subscribed through a creator's links, and what each of them has earned so far. */
export function OwnSubscriptions() {
  const creator = useCreatorId();
  const { state } = useSearch({ from: '/inside/creator/subscriptions' });
  const navigate = useNavigate({ from: '/creator/subscriptions' });
  const narrow = (to: string | undefined) => void navigate({ search: to === undefined ? {} : { state: to } });
  return (
    <Page title="Subscriptions" intro="Each paid invoice of these earns by the rule that held when the subscription began.">
      <Section title="Subscriptions" bare flush>
        <Filters onClear={state === undefined ? null : () => narrow(undefined)}>
          <SelectFilter label="State" value={state} options={states} change={narrow} />
        </Filters>
        <PagedTable
          caption="My subscriptions"
          list={listing<OwnSubscription>(`/creators/${creator}/subscriptions${queryOf({ state })}`)}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            state === undefined ? (
              <Empty title="No subscription yet">
                If a program pays for subscriptions, those that come through your links stand here, with each invoice that was paid.
              </Empty>
            ) : (
              <Empty title="Nothing matches">Choose another state, or all of them.</Empty>
            )
          }
        />
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<OwnSubscription>> = [
  {
    title: 'Shop',
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.quiet}>{program}</div>
      </>
    ),
  },
  { title: 'Began', cell: ({ bound_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Each invoice earns', cell: ({ rule }) => ruleWords(rule) },
  { title: 'Paid invoices', kind: 'number', cell: ({ paid_invoices: count }) => count },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  {
    title: 'State',
    cell: ({ state, held }) => (
      <span className={styles.chips}>
        {state === 'active' ? (
          <Chip word="Active" tone="good" meaning="The next paid invoice earns again, up to the limit of the rule." />
        ) : (
          <Chip word="Ended" tone="calm" meaning="The subscription ended. What it earned stays yours." />
        )}
        {held && <Chip word="Held" tone="wait" meaning="Something else was billed than was bound. The merchant looks into it." />}
      </span>
    ),
  },
];

function ruleWords(rule: OwnSubscription['rule']): string {
  if (rule === null) return 'nothing: no rule fitted';
  const rate = rule.basis_points === null ? `${dollarsOf(rule.flat_cents ?? 0)} USD` : percentOf(rule.basis_points);
  const ends = [
    ...(rule.max_invoices === null ? [] : [`at most ${countOf(rule.max_invoices, 'invoice')}`]),
    ...(rule.max_months === null ? [] : [`for ${countOf(rule.max_months, 'month')}`]),
  ];
  return [rate, ...ends].join(', ');
}
