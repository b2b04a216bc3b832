import type { ReactNode } from 'react';
import { dollarsOf } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import { Icon } from '../parts/icons.tsx';
import { TextLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import type { Overview } from './overview-api.ts';
import styles from './overview.module.css';

type Item = {
  readonly count: number;
  /** Somebody may lose money by it: it comes first, and in another colour. */
  readonly isUrgent?: boolean;
  readonly words: (count: number) => string;
  readonly text: string;
  readonly way: (label: ReactNode) => ReactNode;
};

/** What somebody of the store has to decide, each with the way to exactly that list. */
export function OverviewWaiting({ store, waiting }: { readonly store: string; readonly waiting: Overview['waiting'] }) {
  const items = itemsOf(store, waiting).filter(({ count }) => count > 0);
  return (
    <Section title="What waits for you">
      {items.length === 0 ? (
        <p className={styles.calm}>
          <Icon name="check" size={16} /> Nothing. All is decided, and no bill is open.
        </p>
      ) : (
        <ul className={styles.waiting}>
          {items.map(({ count, isUrgent, words, text, way }) => (
            <li key={text} data-urgent={isUrgent || undefined}>
              {way(words(count))}
              <span className={styles.quiet}>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const many = (one: string, more: string) => (count: number) => countOf(count, one, more);

function itemsOf(store: string, waiting: Overview['waiting']): readonly Item[] {
  const params = { store };
  const pending = (label: ReactNode) => (
    <TextLink to="/stores/$store/conversions" params={params} search={{ state: 'pending', held: 'false' }} children={label} />
  );
  return [
    {
      count: waiting.unpaid_invoices,
      isUrgent: true,
      words: many('bill is not paid', 'bills are not paid'),
      text: 'It could not be charged, or its payment was taken back.',
      way: (label) => <TextLink to="/stores/$store/billing" params={params} children={label} />,
    },
    {
      count: waiting.to_review,
      words: many('conversion to review', 'conversions to review'),
      text: `${dollarsOf(waiting.to_review_cents)} USD of commissions wait for your decision.`,
      way: pending,
    },
    {
      count: waiting.approving_themselves,
      words: many('approves itself within two days', 'approve themselves within two days'),
      text: 'Reject what is wrong before then.',
      way: (label) => (
        <TextLink to="/stores/$store/conversions" params={params} search={{ approves_itself_within_days: '2' }} children={label} />
      ),
    },
    {
      count: waiting.held,
      words: many('conversion is held', 'conversions are held'),
      text: 'Nothing of it is billed or paid until it is released.',
      way: (label) => <TextLink to="/stores/$store/conversions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.held_subscriptions,
      words: many('subscription is held', 'subscriptions are held'),
      text: 'Invoices earn nothing until somebody decides.',
      way: (label) => <TextLink to="/stores/$store/subscriptions" params={params} search={{ held: 'true' }} children={label} />,
    },
    {
      count: waiting.applications,
      words: many('creator asks to take part', 'creators ask to take part'),
      text: 'They can make links once you approve.',
      way: (label) => <TextLink to="/stores/$store/creators" params={params} children={label} />,
    },
    {
      count: waiting.open_disputes,
      words: many('creator objects to a rejection', 'objections to a rejection'),
      text: 'Read why they see it otherwise, and answer.',
      way: (label) => <TextLink to="/stores/$store/disputes" params={params} search={{ state: 'open' }} children={label} />,
    },
  ];
}
