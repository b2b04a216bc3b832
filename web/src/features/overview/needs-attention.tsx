import type { ReactNode } from 'react';
import type { StoreOverview } from '../../api/api-schema.ts';
import { formatDollars, formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './overview.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type Task = {
  readonly count: number;
  /** Someone may lose money: shown first and in another color. */
  readonly isUrgent?: boolean;
  readonly countText: (count: number) => string;
  readonly explanation: string;
  readonly link: (label: ReactNode) => ReactNode;
};

/** The store's open decisions, each with a link to the matching list. */
export function NeedsAttention({ store, waiting }: { readonly store: string; readonly waiting: StoreOverview['waiting'] }) {
  const items = tasksOf(store, waiting).filter(({ count }) => count > 0);
  return (
    <Section title={t.needs_attention.what_waits_for_you}>
      {items.length === 0 ? (
        <p className={styles.allDone}>{rich(t.needs_attention.nothing_all_is_decided_and, { icon: <Icon name="check" size={16} /> })}</p>
      ) : (
        <ul className={styles.tasks}>
          {items.map(({ count, isUrgent, countText, explanation: text, link }) => (
            <li key={text} data-urgent={isUrgent || undefined}>
              {link(countText(count))}
              <span className={styles.muted}>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const countTextOf = (one: string, more: string) => (count: number) => formatCount(count, one, more);

function tasksOf(store: string, waiting: StoreOverview['waiting']): readonly Task[] {
  const params = { store };
  const pending = (label: ReactNode) => (
    <TextLink to="/stores/$store/conversions" params={params} search={{ state: 'pending', held: 'false' }} children={label} />
  );
  return [
    {
      count: waiting.unpaid_invoices,
      isUrgent: true,
      countText: countTextOf(t.needs_attention.bill_is_not_paid, t.needs_attention.bills_are_not_paid),
      explanation: t.needs_attention.it_could_not_be_charged,
      link: (label) => <TextLink to="/stores/$store/billing" params={params} children={label} />,
    },
    {
      count: waiting.to_review,
      countText: countTextOf(t.needs_attention.conversion_to_review, t.needs_attention.conversions_to_review),
      explanation: t.needs_attention.usd_of_commissions_wait_for({ toReviewCents: formatDollars(waiting.to_review_cents) }),
      link: pending,
    },
    {
      count: waiting.approving_themselves,
      countText: countTextOf(t.needs_attention.approves_itself_within_two_days, t.needs_attention.approve_themselves_within_two_days),
      explanation: t.needs_attention.reject_what_is_wrong_before,
      link: (label) => (
        <TextLink to="/stores/$store/conversions" params={params} search={{ approves_itself_within_days: '2' }} children={label} />
      ),
    },
    {
      count: waiting.held,
      countText: countTextOf(t.needs_attention.conversion_is_held, t.needs_attention.conversions_are_held),
      explanation: t.needs_attention.nothing_of_it_is_billed,
      link: (label) => <TextLink to="/stores/$store/conversions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.held_subscriptions,
      countText: countTextOf(t.needs_attention.subscription_is_held, t.needs_attention.subscriptions_are_held),
      explanation: t.needs_attention.invoices_earn_nothing_until_somebo,
      link: (label) => <TextLink to="/stores/$store/subscriptions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.applications,
      countText: countTextOf(t.needs_attention.creator_asks_to_take_part, t.needs_attention.creators_ask_to_take_part),
      explanation: t.needs_attention.they_can_make_links_once,
      link: (label) => <TextLink to="/stores/$store/creators" params={params} children={label} />,
    },
    {
      count: waiting.open_disputes,
      countText: countTextOf(t.needs_attention.creator_objects_to_a_rejection, t.needs_attention.objections_to_a_rejection),
      explanation: t.needs_attention.read_why_they_see_it,
      link: (label) => <TextLink to="/stores/$store/disputes" params={params} search={{ state: 'open' }} children={label} />,
    },
  ];
}
