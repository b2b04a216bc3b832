import type { ReactNode } from 'react';
import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
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
    <Section title={t.needs_attention.needs_your_attention}>
      {items.length === 0 ? (
        <p className={styles.allDone}>{rich(t.needs_attention.youre_all_caught_up, { icon: <Icon name="check" size={16} /> })}</p>
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
      countText: countTextOf(t.needs_attention.unpaid_invoice, t.needs_attention.unpaid_invoices),
      explanation: t.needs_attention.the_charge_was_declined_or,
      link: (label) => <TextLink to="/stores/$store/billing" params={params} children={label} />,
    },
    {
      count: waiting.to_review,
      countText: countTextOf(t.needs_attention.conversion_to_review, t.needs_attention.conversions_to_review),
      explanation: t.needs_attention.usd_of_commissions_to_approve({ toReviewCents: formatDollars(waiting.to_review_cents) }),
      link: pending,
    },
    {
      count: waiting.approving_themselves,
      countText: countTextOf(t.needs_attention.conversion_will_be_auto_approved, t.needs_attention.conversions_will_be_auto_approved),
      explanation: t.needs_attention.reject_incorrect_ones_before_then,
      link: (label) => (
        <TextLink to="/stores/$store/conversions" params={params} search={{ approves_itself_within_days: '2' }} children={label} />
      ),
    },
    {
      count: waiting.held,
      countText: countTextOf(t.needs_attention.conversion_on_hold, t.needs_attention.conversions_on_hold),
      explanation: t.needs_attention.it_is_not_invoiced_or,
      link: (label) => <TextLink to="/stores/$store/conversions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.held_subscriptions,
      countText: countTextOf(t.needs_attention.subscription_on_hold, t.needs_attention.subscriptions_on_hold),
      explanation: t.needs_attention.its_invoices_earn_no_commission,
      link: (label) => <TextLink to="/stores/$store/subscriptions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.applications,
      countText: countTextOf(t.needs_attention.new_application, t.needs_attention.new_applications),
      explanation: t.needs_attention.creators_can_create_links_after,
      link: (label) => <TextLink to="/stores/$store/creators" params={params} children={label} />,
    },
    {
      count: waiting.open_disputes,
      countText: countTextOf(t.needs_attention.open_dispute, t.needs_attention.open_disputes),
      explanation: t.needs_attention.read_the_creators_reasons_and,
      link: (label) => <TextLink to="/stores/$store/disputes" params={params} search={{ state: 'open' }} children={label} />,
    },
  ];
}
