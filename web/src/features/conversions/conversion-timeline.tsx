import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Charge, Invoice, LogEntry, Commission, CommissionDecision, CommissionHistory } from '../../../../sdk/src/api-schema.ts';
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
import { goalAuthor } from './commissions-api.ts';
import styles from './conversions.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const retryHint = t.conversion_timeline.try_again_in_a_minute;

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
      <DrawerSection title={t.conversion_timeline.timeline}>
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
        {decisions.hasNextPage && <p>{t.conversion_timeline.older_review_decisions_are_not}</p>}
        {decisions.isError && <p>{t.conversion_timeline.couldnt_load_the_review_decisions({ retryHint })}</p>}
        {reports.data?.isIncomplete && <p>{t.conversion_timeline.older_postbacks_for_this_order}</p>}
        {reports.isError && <p>{t.conversion_timeline.couldnt_load_the_postbacks({ retryHint })}</p>}
        {story.isError && <p>{t.conversion_timeline.couldnt_load_the_invoice({ retryHint })}</p>}
      </DrawerSection>
      {story.isSuccess && <ConversionLedger lines={story.data.ledger} />}
    </>
  );
}

/** The commission's own events, grouped by their position among events of the same time. */
function commissionEvents(commission: Commission) {
  const { clicked_at: clicked, occurred_at: occurred, recorded_at: recorded, reversed_at: reversed } = commission;
  const { held, order_id: order, bonus, creator_name: creator, reversal_reason: reason } = commission;
  return {
    order: [
      ...(clicked === null ? [] : [{ key: 'click', at: clicked, title: t.conversion_timeline.clicked_a_link_from({ creator }) }]),
      {
        key: 'order',
        at: occurred,
        title: openingTitle(commission),
      },
    ],
    commission:
      order === null && bonus === null ? [{ key: 'recorded', at: recorded, title: t.conversion_timeline.commission_recorded }] : [],
    held: held === null ? [] : [{ key: 'held', at: held.since, title: t.conversion_timeline.on_hold_since_then, tone: 'bad' as const }],
    reversed:
      reversed === null
        ? []
        : [{ key: 'reversed', at: reversed, title: t.conversion_timeline.reversed, text: reason, tone: 'bad' as const }],
  } satisfies Readonly<Record<string, readonly TimelineEvent[]>>;
}

function openingTitle({ order_id: order, lead_id: lead, bonus }: Commission): string {
  if (bonus?.added_by_name === goalAuthor) return t.conversion_timeline.bonus_added_for_goal;
  if (bonus !== null) return t.conversion_timeline.bonus_added_by({ name: bonus.added_by_name });
  if (lead !== null) return t.conversion_timeline.lead_occurred;
  return order === null ? t.conversion_timeline.subscription_invoice_paid : t.conversion_timeline.order_placed;
}

/** The events expected without a decision. A program without a refund hold has no hold to end. */
function expectedEvents(commission: Commission): readonly TimelineEvent[] {
  const { state, held, auto_approve_at: autoAt, hold_until: holdUntil, occurred_at: occurred } = commission;
  const waits = state === 'pending' && held === null && autoAt !== null;
  const hasHold = Date.parse(holdUntil) > Date.parse(occurred);
  return [
    ...(waits ? [{ key: 'auto', at: autoAt, title: t.conversion_timeline.auto_approval_unless_you_decide, tone: 'wait' as const }] : []),
    ...((state === 'pending' || state === 'approved') && hasHold
      ? [{ key: 'hold', at: holdUntil, title: t.conversion_timeline.refund_hold_ends_approved_commissi }]
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
    text: operation === 'conversion' && reason === 'recorded' ? null : localizeTimes(explanation),
    tone: status === 200 ? 'good' : 'bad',
  };
}

const decisionLabels: Readonly<Record<CommissionDecision['action'], readonly [word: string, tone: 'good' | 'bad' | 'wait']>> = {
  approve: [t.conversion_timeline.approved, 'good'],
  reject: [t.conversion_timeline.rejected, 'bad'],
  hold: [t.conversion_timeline.put_on_hold, 'bad'],
  release: [t.conversion_timeline.released, 'good'],
  reopen: [t.conversion_timeline.reopened, 'wait'],
};

function decisionEvent({ id, at, action, reason, note, by_name: by }: CommissionDecision): TimelineEvent {
  const [word, tone] = decisionLabels[action];
  const why = reason === null ? null : action === 'hold' ? reason.replaceAll('_', ' ') : reason;
  return { key: id, at, title: t.conversion_timeline.by({ word, by, value: why === null ? '' : `: ${why}` }), text: note, tone };
}

/** The events of the money: the invoice, its charges, partial refunds, a credit note, the payout. */
function paymentEvents(
  store: string,
  { invoice, charges, refunds, credit_note: note, late_refunds: late = [], payout }: CommissionHistory,
): readonly TimelineEvent[] {
  return [
    ...(invoice === null ? [] : [invoiceEvent(store, invoice)]),
    ...charges.map(chargeEvent),
    ...(invoice?.charged_back_at ? [chargebackEvent(invoice.charged_back_at)] : []),
    ...refunds.map(refundEvent).toReversed(),
    ...(note === null ? [] : [creditNoteEvent(note)]),
    ...(payout === null ? [] : [payoutEvent(payout)]),
    ...late.map(lateRefundEvent).toReversed(),
  ];
}

const invoiceEvent = (store: string, { id, number, issued_at: at, next_charge_at: next, state }: Invoice): TimelineEvent => ({
  key: id,
  at,
  title: (
    <>
      {rich(t.conversion_timeline.added_to_invoice, {
        link: (
          <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: id }}>
            {number}
          </TextLink>
        ),
      })}
    </>
  ),
  text: state === 'issued' && next !== null ? t.conversion_timeline.the_invoice_is_charged : null,
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
  const by = isBackup ? t.conversion_timeline.with_the_backup_payment_method : '';
  switch (state) {
    case 'succeeded':
      return { key: id, at, title: t.conversion_timeline.invoice_paid_usd({ cents: formatDollars(cents), by }), tone: 'good' };
    case 'declined':
      return { key: id, at, title: t.conversion_timeline.invoice_charge_declined({ by }), text: message, tone: 'bad' };
    case 'absent':
      return {
        key: id,
        at,
        title: t.conversion_timeline.a_charge_never_reached_the,
        text: t.conversion_timeline.nothing_was_charged,
        tone: 'wait',
      };
    default:
      return { key: id, at, title: t.conversion_timeline.charging_the_invoice({ by }), tone: 'wait' };
  }
}

const chargebackEvent = (at: string): TimelineEvent => ({
  key: t.conversion_timeline.charged_back,
  at,
  title: t.conversion_timeline.invoice_payment_charged_back,
  text: t.conversion_timeline.the_bank_decided_the_card,
  tone: 'bad',
});

type Refund = CommissionHistory['refunds'][number];

const refundEvent = ({
  id,
  received_at: at,
  amount_cents: amount,
  commission_cents: less,
  credit_note: note,
  reason,
}: Refund): TimelineEvent => ({
  key: id,
  at,
  title: t.conversion_timeline.refunded_in_part({ amount: formatDollars(amount) }),
  text: [
    ...(reason === null ? [] : [`${reason}.`]),
    less === 0
      ? t.conversion_timeline.the_commission_stayed
      : t.conversion_timeline.the_commission_fell_by({ amount: formatDollars(less) }),
    ...(note === null ? [] : [t.conversion_timeline.credited_by_note({ number: note })]),
  ].join(' '),
  tone: 'bad',
});

type LateRefund = NonNullable<CommissionHistory['late_refunds']>[number];

const lateRefundEvent = ({
  credit_note: number,
  at,
  amount_cents: amount,
  commission_cents: credited,
  reason,
}: LateRefund): TimelineEvent => ({
  key: number,
  at,
  title: t.conversion_timeline.refunded_after_payout({ amount: formatDollars(amount) }),
  text: `${reason}. ${t.conversion_timeline.credited_by_operator({ amount: formatDollars(credited), number })}`,
  tone: 'bad',
});

type Note = NonNullable<CommissionHistory['credit_note']>;

const creditNoteEvent = ({ number, kind, reason, operator_bears: isBorne, at }: Note): TimelineEvent => ({
  key: number,
  at,
  title: t.conversion_timeline.credited_with({ number, reason }),
  text: [
    kind === 'before' ? t.conversion_timeline.the_invoice_charge_is_reduced : t.conversion_timeline.your_next_invoices_are_reduced,
    ...(isBorne ? [t.conversion_timeline.the_creator_keeps_the_commission] : []),
  ].join(' '),
  tone: 'bad',
});

function payoutEvent({ state, begun_at: begun, sent_at: sent, ended_at: ended }: NonNullable<CommissionHistory['payout']>): TimelineEvent {
  switch (state) {
    case 'prepared':
      return { key: 'payout', at: begun, title: t.conversion_timeline.added_to_a_payout_to, tone: 'wait' };
    case 'on_its_way':
      return { key: 'payout', at: sent ?? begun, title: t.conversion_timeline.payout_sent_to_the_creator, tone: 'wait' };
    case 'paid':
      return { key: 'payout', at: ended ?? begun, title: t.conversion_timeline.paid_to_the_creator, tone: 'good' };
  }
}

type LedgerLine = CommissionHistory['ledger'][number];

/** The commission's ledger lines, as on the statement. */
function ConversionLedger({ lines }: { readonly lines: readonly LedgerLine[] }) {
  return (
    <DrawerSection title={t.conversion_timeline.ledger}>
      {lines.length === 0 ? (
        <p>{t.conversion_timeline.no_postings_because_the_commission}</p>
      ) : (
        <div className={billingStyles.drawerTable}>
          <Table
            caption={t.conversion_timeline.ledger_postings}
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
  { title: t.conversion_timeline.posted, cell: ({ at }) => <Time at={at} dateOnly /> },
  { title: t.conversion_timeline.account, cell: ({ what }) => what },
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
