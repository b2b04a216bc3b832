import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Cents } from '../../api/parse-json.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { NextCharge } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { formatDollars, formatPercent, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { nextChargeQuery, isInvoicedEarly } from './billing-api.ts';
import styles from './billing.module.css';

/** The next charge as of today, what may be added, and when it happens. */
export function NextCharge({ store }: { readonly store: string }) {
  const next = useQuery(nextChargeQuery(store));
  return (
    <Section title="Next charge">
      <QueryView query={next} lines={5}>
        {(data) => (
          <div className={styles.next}>
            <ChargeLines store={store} next={data} />
            <ChargeSchedule next={data} />
          </div>
        )}
      </QueryView>
    </Section>
  );
}

function ChargeLines({ store, next }: { readonly store: string; readonly next: NextCharge }) {
  const approvedLink = (label: string) => (
    <TextLink to="/stores/$store/conversions" params={{ store }} search={{ state: 'approved', held: 'false' }}>
      {label}
    </TextLink>
  );
  return (
    <table className={styles.lines}>
      <caption className={styles.visuallyHidden}>The lines of the next charge, in USD</caption>
      <tbody>
        <ChargeLine
          name={<>{approvedLink(formatCount(next.lines_count, 'commission'))}, approved and past their hold</>}
          cents={next.lines_cents}
        />
        <ChargeLine name={`Platform fee, ${formatPercent(next.fee_basis_points)}`} cents={next.fee_cents} />
        {next.credit_cents > 0 && <ChargeLine name="Your credit" cents={next.credit_cents} isLess />}
      </tbody>
      <tfoot>
        <ChargeLine name="To be charged" cents={next.total_cents} />
      </tfoot>
    </table>
  );
}

type ChargeLineProps = { readonly name: ReactNode; readonly cents: Cents; readonly isLess?: boolean };

const ChargeLine = ({ name, cents, isLess = false }: ChargeLineProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td className="number">
      {isLess && '−'}
      {formatDollars(cents)} USD
    </td>
  </tr>
);

function ChargeSchedule({ next }: { readonly next: NextCharge }) {
  const { in_hold: held } = next;
  return (
    <div>
      <p className={styles.result}>{scheduleText(next)}</p>
      <DescriptionList
        items={[
          ...(isInvoicedEarly(next)
            ? [['Next invoice', 'within a day'] as const]
            : [
                ['Next invoice', <Time key="c" at={next.next_cut_at} dateOnly />] as const,
                ['It is charged on', <Time key="h" at={next.next_charge_at} dateOnly />] as const,
                ['Earlier, once it reaches', `${formatDollars(next.early_cents)} USD`] as const,
              ]),
          ['Still in hold', held.count === 0 ? 'nothing' : `${formatCount(held.count, 'commission')}, ${formatDollars(held.cents)} USD`],
          ...(held.first_until === null || held.last_until === null
            ? []
            : [['Holds end', <HoldEnds key="e" first={held.first_until} last={held.last_until} />] as const]),
          ...(next.credit_left_cents > 0 ? [['Credit you have', `${formatDollars(next.credit_left_cents)} USD`] as const] : []),
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

function scheduleText(next: NextCharge): string {
  const { is_carried_on: why, minimum_cents: minimum, early_cents: early } = next;
  if (isInvoicedEarly(next))
    return `${formatDollars(early)} USD are due, so it is billed with the next night’s work, before the month’s end.`;
  switch (why) {
    case null:
      return 'This is billed at the next invoice, with what is approved and past its hold until then.';
    case 'nothing':
      return 'Nothing is due. A commission is billed once it is approved and its refund hold is over.';
    case 'unpaid_invoice':
      return 'Nothing new is billed while an earlier invoice is not paid.';
    case 'below_minimum':
      return `It is less than ${formatDollars(minimum)} USD, so it is carried on to the next month; at most for 90 days.`;
    case 'below_provider_minimum':
      return 'It is less than can be charged at all, so it is carried on until there is more.';
    default:
      return `It is billed at the next invoice, or as soon as ${formatDollars(early)} USD are due.`;
  }
}

type Reserve = { readonly state: 'over' | 'running' | 'not_started'; readonly until: string | null };

const formatUtcDate = (at: string): string => new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** The end of a new store's reserve period, in which its creators are not paid yet; hidden afterwards. */
export function ReserveNote({ store }: { readonly store: string }) {
  const reserve = useQuery(apiQuery(apiPath('/stores/{store}/reserve', { store })));
  if (!reserve.isSuccess || reserve.data.state === 'over') return null;
  return <p>{reserveText(reserve.data)}</p>;
}

function reserveText({ state, until }: Reserve): string {
  if (state === 'not_started')
    return 'Your store is new: a reserve period begins with its first successful charge. Creators are paid after it.';
  if (until === null) return 'Your store is new: its creators are paid once more of its invoices are paid.';
  return `Your store is new: what its first charges paid for is paid out to creators from ${formatUtcDate(until)} (UTC) on.`;
}
