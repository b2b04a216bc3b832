import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Charge, Invoice, LogEntry, Commission, CommissionDecision, CommissionHistory } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { DrawerSection } from '../../ui/drawer.tsx';
import { TextLink } from '../../ui/links.tsx';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton, Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import billingStyles from '../billing/billing.module.css';
import { accountName } from '../billing/store-statement-api.ts';
import { orderPostbacksQuery } from '../tracking/order-postbacks.ts';
import { operationLabels } from '../tracking/operation-labels.ts';
import styles from './conversions.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const retryHint = t.conversion_timeline.open_it_once_more_in;

type TimelineProps = { readonly store: string; readonly commission: Commission };

/** Every event, earliest first, and at the end the events expected without a decision. */
export function ConversionTimeline({ store, commission }: TimelineProps) {
  const decisions = useInfiniteQuery(
    apiListQuery(apiPath('/stores/{store}/commissions/{commission}/decisions', { store, commission: commission.id })),
  );
  const order = commission.order_id;
  const reports = useQuery({ ...orderPostbacksQuery(store, order ?? ''), enabled: order !== null });
  const story = useQuery(apiQuery(apiPath('/stores/{store}/commissions/{commission}/story', { store, commission: commission.id })));
  if (decisions.isPending || story.isPending || (order !== null && reports.isPending)) return <LoadingSkeleton />;
  const past = commissionEvents(commission);
  const events = sortEvents([
    ...past.order,
    ...(reports.data?.lines ?? []).map((line) => postbackEvent(store, line)).toReversed(),
    ...past.commission,
    ...(decisions.data?.pages.flatMap(({ data }) => data) ?? []).map(decisionEvent).toReversed(),
    ...past.held,
    ...(story.isSuccess ? paymentEvents(store, story.data) : []),
    ...past.reversed,
    ...expectedEvents(commission),
  ]);
  return (
    <>
      <DrawerSection title={t.conversion_timeline.what_happened}>
        <ol className={styles.timeline}>
          {events.map(({ key, at, title, text, tone }) => (
            <li key={key} className={styles.event} data-tone={tone}>
              <div>{title}</div>
              {text && <div className={styles.eventDetail}>{text}</div>}
              <div className={styles.eventDetail}>
                <Time at={at} />
              </div>
            </li>
          ))}
        </ol>
        {decisions.hasNextPage && <p>{t.conversion_timeline.older_decisions_are_not_shown}</p>}
        {decisions.isError && <p>{t.conversion_timeline.what_was_decided_on_it({ retryHint })}</p>}
        {reports.data?.isIncomplete && <p>{t.conversion_timeline.older_reports_of_your_server}</p>}
        {reports.isError && <p>{t.conversion_timeline.what_your_server_reported_of({ retryHint })}</p>}
        {story.isError && <p>{t.conversion_timeline.what_became_of_its_bill({ retryHint })}</p>}
      </DrawerSection>
      {story.isSuccess && <ConversionLedger lines={story.data.ledger} />}
    </>
  );
}

/** The commission's own events, grouped by their position among events of the same time. */
function commissionEvents(commission: Commission) {
  const { clicked_at: clicked, occurred_at: occurred, recorded_at: recorded, reversed_at: reversed } = commission;
  const { held, order_id: order, creator_name: creator, reversal_reason: reason } = commission;
  return {
    order: [
      ...(clicked === null ? [] : [{ key: 'click', at: clicked, title: t.conversion_timeline.came_through_a_link_of({ creator }) }]),
      {
        key: 'order',
        at: occurred,
        title: order === null ? t.conversion_timeline.invoice_was_paid : t.conversion_timeline.order_was_placed,
      },
    ],
    commission: order === null ? [{ key: 'recorded', at: recorded, title: t.conversion_timeline.commission_was_opened }] : [],
    held: held === null ? [] : [{ key: 'held', at: held.since, title: t.conversion_timeline.held_since_then, tone: 'bad' as const }],
    reversed:
      reversed === null
        ? []
        : [{ key: 'reversed', at: reversed, title: t.conversion_timeline.reversed, text: reason, tone: 'bad' as const }],
  } satisfies Readonly<Record<string, readonly TimelineEvent[]>>;
}

/** The events expected without a decision. A program without a refund hold has no hold to end. */
function expectedEvents(commission: Commission): readonly TimelineEvent[] {
  const { state, held, auto_approve_at: autoAt, hold_until: holdUntil, occurred_at: occurred } = commission;
  const waits = state === 'pending' && held === null && autoAt !== null;
  const hasHold = Date.parse(holdUntil) > Date.parse(occurred);
  return [
    ...(waits ? [{ key: 'auto', at: autoAt, title: t.conversion_timeline.approves_itself_unless_you_decide, tone: 'wait' as const }] : []),
    ...((state === 'pending' || state === 'approved') && hasHold
      ? [{ key: 'hold', at: holdUntil, title: t.conversion_timeline.refund_hold_ends_approved_it }]
      : []),
  ];
}

function postbackEvent(store: string, { id, at, operation, reason, status, explanation }: LogEntry): TimelineEvent {
  return {
    key: id,
    at,
    title: (
      <>
        {operationLabels[operation] ?? operation}:{' '}
        <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ open: id }}>
          {reason}
        </TextLink>
      </>
    ),
    // The explanation of a recorded order is shown above already.
    text: operation === 'conversion' && reason === 'recorded' ? null : explanation,
    tone: status === 200 ? 'good' : 'bad',
  };
}

const decisionLabels: Readonly<Record<CommissionDecision['action'], readonly [word: string, tone: 'good' | 'bad' | 'wait']>> = {
  approve: [t.conversion_timeline.approved, 'good'],
  reject: [t.conversion_timeline.rejected, 'bad'],
  hold: [t.conversion_timeline.held, 'bad'],
  release: [t.conversion_timeline.released, 'good'],
  reopen: [t.conversion_timeline.reopened, 'wait'],
};

function decisionEvent({ id, at, action, reason, note, by_name: by }: CommissionDecision): TimelineEvent {
  const [word, tone] = decisionLabels[action];
  const why = reason === null ? null : action === 'hold' ? reason.replaceAll('_', ' ') : reason;
  return { key: id, at, title: t.conversion_timeline.by({ word, by, value: why === null ? '' : `: ${why}` }), text: note, tone };
}

/** The events after the review: the invoice, its charges, a credit note, the payout. */
function paymentEvents(store: string, { invoice, charges, credit_note: note, payout }: CommissionHistory): readonly TimelineEvent[] {
  return [
    ...(invoice === null ? [] : [invoiceEvent(store, invoice)]),
    ...charges.map(chargeEvent),
    ...(invoice?.charged_back_at ? [chargebackEvent(invoice.charged_back_at)] : []),
    ...(note === null ? [] : [creditNoteEvent(note)]),
    ...(payout === null ? [] : [payoutEvent(payout)]),
  ];
}

const invoiceEvent = (store: string, { id, number, issued_at: at, next_charge_at: next, state }: Invoice): TimelineEvent => ({
  key: id,
  at,
  title: (
    <>
      {rich(t.conversion_timeline.billed_on, {
        link: (
          <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: id }}>
            {number}
          </TextLink>
        ),
      })}
    </>
  ),
  text: state === 'issued' && next !== null ? t.conversion_timeline.it_is_charged_a_few : null,
  tone: 'good',
});

function chargeEvent({
  id,
  state,
  amount_cents: cents,
  is_backup: isBackup,
  message,
  made_at: made,
  ended_at: ended,
}: Charge): TimelineEvent {
  const at = ended ?? made;
  const by = isBackup ? t.conversion_timeline.by_the_backup_method : '';
  switch (state) {
    case 'succeeded':
      return { key: id, at, title: t.conversion_timeline.the_bill_was_paid_usd({ cents: formatDollars(cents), by }), tone: 'good' };
    case 'declined':
      return { key: id, at, title: t.conversion_timeline.the_bill_could_not_be({ by }), text: message, tone: 'bad' };
    case 'absent':
      return {
        key: id,
        at,
        title: t.conversion_timeline.a_charge_never_reached_the,
        text: t.conversion_timeline.nothing_was_charged,
        tone: 'wait',
      };
    default:
      return { key: id, at, title: t.conversion_timeline.the_bill_is_being_charged({ by }), tone: 'wait' };
  }
}

const chargebackEvent = (at: string): TimelineEvent => ({
  key: t.conversion_timeline.charged_back,
  at,
  title: t.conversion_timeline.the_payment_of_the_bill,
  text: t.conversion_timeline.the_bank_decided_a_dispute,
  tone: 'bad',
});

type Note = NonNullable<CommissionHistory['credit_note']>;

const creditNoteEvent = ({ number, kind, reason, operator_bears: isBorne, at }: Note): TimelineEvent => ({
  key: number,
  at,
  title: t.conversion_timeline.credited_by({ number, reason }),
  text: [
    kind === 'before' ? t.conversion_timeline.less_is_charged_for_the : t.conversion_timeline.it_comes_off_your_next,
    ...(isBorne ? [t.conversion_timeline.the_creator_keeps_it] : []),
  ].join(' '),
  tone: 'bad',
});

function payoutEvent({ state, begun_at: begun, sent_at: sent, ended_at: ended }: NonNullable<CommissionHistory['payout']>): TimelineEvent {
  switch (state) {
    case 'prepared':
      return { key: 'payout', at: begun, title: t.conversion_timeline.put_into_a_payout_to, tone: 'wait' };
    case 'on_its_way':
      return { key: 'payout', at: sent ?? begun, title: t.conversion_timeline.on_its_way_to_the, tone: 'wait' };
    case 'paid':
      return { key: 'payout', at: ended ?? begun, title: t.conversion_timeline.reached_the_creator, tone: 'good' };
  }
}

type LedgerLine = CommissionHistory['ledger'][number];

/** The commission's ledger lines, as on the statement. */
function ConversionLedger({ lines }: { readonly lines: readonly LedgerLine[] }) {
  return (
    <DrawerSection title={t.conversion_timeline.in_the_books}>
      {lines.length === 0 ? (
        <p>{t.conversion_timeline.nothing_was_booked_it_earns}</p>
      ) : (
        <div className={billingStyles.drawerTable}>
          <Table
            caption={t.conversion_timeline.lines_of_the_ledger}
            columns={ledgerColumns}
            rows={lines}
            keyOf={({ at, what, debit, credit }) => [at, what, debit, credit].join(' ')}
          />
        </div>
      )}
    </DrawerSection>
  );
}

const ledgerColumns: ReadonlyArray<Column<LedgerLine>> = [
  { title: t.conversion_timeline.booked, cell: ({ at }) => <Time at={at} dateOnly /> },
  { title: t.conversion_timeline.what, cell: ({ what }) => what },
  { title: t.conversion_timeline.debit, cell: ({ debit }) => accountName(debit) },
  { title: t.conversion_timeline.credit, cell: ({ credit }) => accountName(credit) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

/** An event of a conversion, past or expected. */
export type TimelineEvent = {
  readonly key: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone?: 'good' | 'wait' | 'bad';
};

/**
 * Earliest first. Events of the same millisecond keep their given order, which is the order of cause and effect: with a refund hold of
 * 0 days an order, its report, and its approval can share one time.
 */
export const sortEvents = (moments: readonly TimelineEvent[]): readonly TimelineEvent[] =>
  moments.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
