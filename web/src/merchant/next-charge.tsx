import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Cents, dollarsOf, percentOf } from '../parts/amounts.ts';
import { countOf } from '../parts/count-of.ts';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { billingReading, isEarly, type NextCharge as Next } from './billing-api.ts';
import styles from './billing.module.css';

/** What would be charged as it is today, what comes to it later, and when. */
export function NextCharge({ store }: { readonly store: string }) {
  const next = useQuery(billingReading(store));
  return (
    <Section title="Next charge">
      {next.isPending && <Waiting lines={5} />}
      {next.isError && <ProblemNote problem={next.error} onRetry={() => void next.refetch()} />}
      {next.isSuccess && (
        <div className={styles.next}>
          <Lines store={store} next={next.data} />
          <When next={next.data} />
        </div>
      )}
    </Section>
  );
}

function Lines({ store, next }: { readonly store: string; readonly next: Next }) {
  const approved = (label: string) => (
    <TextLink to="/stores/$store/conversions" params={{ store }} search={{ state: 'approved', held: 'false' }}>
      {label}
    </TextLink>
  );
  return (
    <table className={styles.lines}>
      <caption className={styles.aloud}>The lines of the next charge, in USD</caption>
      <tbody>
        <Line name={<>{approved(countOf(next.lines_count, 'commission'))}, approved and past their hold</>} cents={next.lines_cents} />
        <Line name={`Platform fee, ${percentOf(next.fee_basis_points)}`} cents={next.fee_cents} />
        {next.credit_cents > 0 && <Line name="Your credit" cents={next.credit_cents} isLess />}
      </tbody>
      <tfoot>
        <Line name="To be charged" cents={next.total_cents} />
      </tfoot>
    </table>
  );
}

type LineProps = { readonly name: ReactNode; readonly cents: Cents; readonly isLess?: boolean };

const Line = ({ name, cents, isLess = false }: LineProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td className="number">
      {isLess && '−'}
      {dollarsOf(cents)} USD
    </td>
  </tr>
);

function When({ next }: { readonly next: Next }) {
  const { in_hold: held } = next;
  return (
    <div>
      <p className={styles.verdict}>{verdict(next)}</p>
      <Facts
        facts={[
          ...(isEarly(next)
            ? [['Next invoice', 'within a day'] as const]
            : [
                ['Next invoice', <Time key="c" at={next.next_cut_at} dateOnly />] as const,
                ['It is charged on', <Time key="h" at={next.next_charge_at} dateOnly />] as const,
                ['Earlier, once it reaches', `${dollarsOf(next.early_cents)} USD`] as const,
              ]),
          ['Still in hold', held.count === 0 ? 'nothing' : `${countOf(held.count, 'commission')}, ${dollarsOf(held.cents)} USD`],
          ...(held.first_until === null || held.last_until === null
            ? []
            : [['Holds end', <HoldEnds key="e" first={held.first_until} last={held.last_until} />] as const]),
          ...(next.credit_left_cents > 0 ? [['Credit you have', `${dollarsOf(next.credit_left_cents)} USD`] as const] : []),
        ]}
      />
    </div>
  );
}

const HoldEnds = ({ first, last }: { readonly first: string; readonly last: string }) => (
  <>
    <Time at={first} dateOnly />
    {first.slice(0, 10) !== last.slice(0, 10) && (
      <>
        {' to '}
        <Time at={last} dateOnly />
      </>
    )}
  </>
);

function verdict(next: Next): string {
  const { is_carried_on: why, minimum_cents: minimum, early_cents: early } = next;
  if (isEarly(next)) return `${dollarsOf(early)} USD are due, so it is billed with the next night’s work, before the month’s end.`;
  switch (why) {
    case null:
      return 'This is billed at the next invoice, with what is approved and past its hold until then.';
    case 'nothing':
      return 'Nothing is due. A commission is billed once it is approved and its refund hold is over.';
    case 'unpaid_invoice':
      return 'Nothing new is billed while an earlier invoice is not paid.';
    case 'below_minimum':
      return `It is less than ${dollarsOf(minimum)} USD, so it is carried on to the next month; at most for 90 days.`;
    case 'below_provider_minimum':
      return 'It is less than can be charged at all, so it is carried on until there is more.';
    default:
      return `It is billed at the next invoice, or as soon as ${dollarsOf(early)} USD are due.`;
  }
}
