import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { NextCharge } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { rich } from '../../messages/rich-text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { formatDay, Time } from '../../ui/time.tsx';
import { nextChargeQuery, isInvoicedEarly } from './billing-api.ts';
import styles from './billing.module.css';
import { t } from './messages.ts';

/** The next charge as of today, what may be added, and when it happens. */
export function NextCharge({ store }: { readonly store: string }) {
  const next = useQuery(nextChargeQuery(store));
  return (
    <Section title={t.next_charge.next_charge}>
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
  const approvedLink = <TextLink to="/stores/$store/conversions" params={{ store }} search={{ state: 'approved', held: 'false' }} />;
  return (
    <table className={styles.lines}>
      <caption className="visually-hidden">{t.next_charge.lines_of_the_next_charge}</caption>
      <tbody>
        <ChargeLine
          name={<>{rich(t.next_charge.commissions_approved_and_past_the({ count: next.lines_count }), { link: approvedLink })}</>}
          cents={next.lines_cents}
        />
        <ChargeLine name={t.next_charge.platform_fee({ fee: next.fee_basis_points })} cents={next.fee_cents} />
        {next.credit_cents > 0 && <ChargeLine name={t.next_charge.your_credit} cents={next.credit_cents} isLess />}
      </tbody>
      <tfoot>
        <ChargeLine name={t.next_charge.total} cents={next.total_cents} />
      </tfoot>
    </table>
  );
}

type ChargeLineProps = { readonly name: ReactNode; readonly cents: Cents; readonly isLess?: boolean };

const ChargeLine = ({ name, cents, isLess = false }: ChargeLineProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td className="number">{formatUsd(isLess ? -BigInt(cents) : cents)}</td>
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
            ? [[t.next_charge.next_invoice, t.next_charge.within_a_day] as const]
            : [
                [t.next_charge.next_invoice, <Time key="c" at={next.next_cut_at} dateOnly />] as const,
                [t.next_charge.charged_on, <Time key="h" at={next.next_charge_at} dateOnly />] as const,
                [t.next_charge.earlier_if_it_reaches, t.next_charge.usd_2({ earlyCents: formatDollars(next.early_cents) })] as const,
              ]),
          [
            t.next_charge.still_in_refund_hold,
            held.count === 0 ? 'nothing' : t.next_charge.commissions_usd({ count: held.count, cents: formatDollars(held.cents) }),
          ],
          ...(held.first_until === null || held.last_until === null
            ? []
            : [[t.next_charge.refund_holds_end, <HoldEnds key="e" first={held.first_until} last={held.last_until} />] as const]),
          ...(next.credit_left_cents > 0
            ? [[t.next_charge.available_credit, t.next_charge.usd_4({ creditLeftCents: formatDollars(next.credit_left_cents) })] as const]
            : []),
        ]}
      />
    </div>
  );
}

const HoldEnds = ({ first, last }: { readonly first: string; readonly last: string }) => (
  <>
    <Time at={first} dateOnly />
    {formatDay(first) !== formatDay(last) && (
      <>
        {' to '}
        <Time at={last} dateOnly />
      </>
    )}
  </>
);

function scheduleText(next: NextCharge): string {
  const { is_carried_on: why, minimum_cents: minimum, early_cents: early } = next;
  if (isInvoicedEarly(next)) return t.next_charge.usd_is_due_so_the({ early: formatDollars(early) });
  switch (why) {
    case null:
      return t.next_charge.the_next_invoice_includes_commissi;
    case 'nothing':
      return t.next_charge.nothing_is_due_a_commission;
    case 'unpaid_invoice':
      return t.next_charge.no_new_invoice_is_issued;
    case 'below_minimum':
      return t.next_charge.the_total_is_below_usd({ minimum: formatDollars(minimum) });
    case 'below_provider_minimum':
      return t.next_charge.the_total_is_below_the;
    default:
      return t.next_charge.it_goes_on_the_next({ early: formatDollars(early) });
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
  if (state === 'not_started') return t.next_charge.your_store_is_new;
  if (until === null) return t.next_charge.your_store_is_new_its;
  return t.next_charge.your_store_is_new_commissions({ until: formatUtcDate(until) });
}
