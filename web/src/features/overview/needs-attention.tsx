import type { ReactNode } from 'react';
import type { StoreOverview } from '../../api/api-schema.ts';
import { formatDollars, formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './overview.module.css';

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
    <Section title="What waits for you">
      {items.length === 0 ? (
        <p className={styles.allDone}>
          <Icon name="check" size={16} /> Nothing. All is decided, and no bill is open.
        </p>
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
      countText: countTextOf('bill is not paid', 'bills are not paid'),
      explanation: 'It could not be charged, or its payment was taken back.',
      link: (label) => <TextLink to="/stores/$store/billing" params={params} children={label} />,
    },
    {
      count: waiting.to_review,
      countText: countTextOf('conversion to review', 'conversions to review'),
      explanation: `${formatDollars(waiting.to_review_cents)} USD of commissions wait for your decision.`,
      link: pending,
    },
    {
      count: waiting.approving_themselves,
      countText: countTextOf('approves itself within two days', 'approve themselves within two days'),
      explanation: 'Reject what is wrong before then.',
      link: (label) => (
        <TextLink to="/stores/$store/conversions" params={params} search={{ approves_itself_within_days: '2' }} children={label} />
      ),
    },
    {
      count: waiting.held,
      countText: countTextOf('conversion is held', 'conversions are held'),
      explanation: 'Nothing of it is billed or paid until it is released.',
      link: (label) => <TextLink to="/stores/$store/conversions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.held_subscriptions,
      countText: countTextOf('subscription is held', 'subscriptions are held'),
      explanation: 'Invoices earn nothing until somebody decides.',
      link: (label) => <TextLink to="/stores/$store/subscriptions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.applications,
      countText: countTextOf('creator asks to take part', 'creators ask to take part'),
      explanation: 'They can make links once you approve.',
      link: (label) => <TextLink to="/stores/$store/creators" params={params} children={label} />,
    },
    {
      count: waiting.open_disputes,
      countText: countTextOf('creator objects to a rejection', 'objections to a rejection'),
      explanation: 'Read why they see it otherwise, and answer.',
      link: (label) => <TextLink to="/stores/$store/disputes" params={params} search={{ state: 'open' }} children={label} />,
    },
  ];
}
