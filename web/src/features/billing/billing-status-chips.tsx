import type { Charge, Invoice } from '../../../../sdk/src/api-schema.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/time.tsx';
import { t } from './messages.ts';

/** The state of an invoice, with what happens next automatically and what does not. */
export function InvoiceStatusChip({ invoice }: { readonly invoice: Pick<Invoice, 'state' | 'next_charge_at' | 'total_cents'> }) {
  const { state, next_charge_at: at } = invoice;
  const texts: StatusTexts<Invoice['state']> = {
    issued: [
      t.billing_status_chips.issued,
      'wait',
      at === null ? t.billing_status_chips.it_will_be_charged_shortly : t.billing_status_chips.it_will_be_charged_on({ at: formatDay(at) }),
    ],
    charging: [t.billing_status_chips.charging, 'wait', t.billing_status_chips.the_charge_is_in_progress],
    unknown: [t.billing_status_chips.checking_charge, 'wait', t.billing_status_chips.the_payment_provider_has_not],
    paid: [t.billing_status_chips.paid, 'good', t.billing_status_chips.paid_in_full_its_commissions],
    retrying: [
      t.billing_status_chips.charge_declined,
      'bad',
      at === null ? t.billing_status_chips.it_will_not_be_retried : t.billing_status_chips.it_will_be_retried_on({ at: formatDay(at) }),
    ],
    past_due: [t.billing_status_chips.past_due, 'bad', t.billing_status_chips.the_charge_was_declined_for],
    charged_back: [t.billing_status_chips.charged_back, 'bad', t.billing_status_chips.your_bank_took_the_payment],
    void: [t.billing_status_chips.void, 'neutral', t.billing_status_chips.credit_notes_cover_the_full],
  };
  return <StatusChip texts={texts} state={state} />;
}

const onItsWay = [t.billing_status_chips.in_progress, 'wait', t.billing_status_chips.the_charge_was_sent_and] as const;

const chargeTexts: StatusTexts<Charge['state']> = {
  ready: onItsWay,
  sending: onItsWay,
  pending: onItsWay,
  unknown: [t.billing_status_chips.checking_charge, 'wait', t.billing_status_chips.the_payment_provider_has_not_2],
  succeeded: [t.billing_status_chips.succeeded, 'good', t.billing_status_chips.the_amount_was_charged],
  declined: [t.billing_status_chips.declined, 'bad', t.billing_status_chips.the_amount_was_not_charged],
  absent: [t.billing_status_chips.not_received, 'neutral', t.billing_status_chips.the_payment_provider_never_receive],
};

export function ChargeStatusChip({ state }: Pick<Charge, 'state'>) {
  return <StatusChip texts={chargeTexts} state={state} />;
}

const outcomeTexts: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  ok: [t.billing_status_chips.succeeds, t.billing_status_chips.every_charge_succeeds],
  declined: [t.billing_status_chips.declines, t.billing_status_chips.every_charge_is_declined_as],
  timeout_then_ok: [t.billing_status_chips.times_out_once, t.billing_status_chips.the_first_request_gets_no],
  insufficient_then_ok: [t.billing_status_chips.insufficient_funds_once, t.billing_status_chips.the_first_charge_is_declined],
};

export const outcomeLabel = (word: string): string => outcomeTexts[word]?.[0] ?? word;
export const outcomeMeaning = (word: string): string => outcomeTexts[word]?.[1] ?? t.billing_status_chips.used_only_by_automated_tests;
