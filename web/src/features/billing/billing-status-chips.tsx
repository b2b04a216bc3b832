import type { Charge, Invoice } from '../../api/api-schema.ts';
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
      at === null ? t.billing_status_chips.it_is_about_to_be : t.billing_status_chips.it_is_charged_on({ at: formatDay(at) }),
    ],
    charging: [t.billing_status_chips.being_charged, 'wait', t.billing_status_chips.the_charge_is_on_its],
    unknown: [t.billing_status_chips.being_looked_into, 'wait', t.billing_status_chips.the_provider_has_not_said],
    paid: [t.billing_status_chips.paid, 'good', t.billing_status_chips.nothing_is_open_its_commissions],
    retrying: [
      t.billing_status_chips.charge_failed,
      'bad',
      at === null ? t.billing_status_chips.it_is_not_tried_again : t.billing_status_chips.it_is_tried_again_on({ at: formatDay(at) }),
    ],
    past_due: [t.billing_status_chips.past_due, 'bad', t.billing_status_chips.it_could_not_be_charged],
    charged_back: [t.billing_status_chips.taken_back, 'bad', t.billing_status_chips.your_bank_took_the_payment],
    void: [t.billing_status_chips.void, 'neutral', t.billing_status_chips.credit_notes_took_all_of],
  };
  return <StatusChip texts={texts} state={state} />;
}

const onItsWay = [t.billing_status_chips.on_its_way, 'wait', t.billing_status_chips.it_was_asked_for_and] as const;

const chargeTexts: StatusTexts<Charge['state']> = {
  ready: onItsWay,
  sending: onItsWay,
  pending: onItsWay,
  unknown: [t.billing_status_chips.being_looked_into, 'wait', t.billing_status_chips.the_provider_has_not_answered],
  succeeded: [t.billing_status_chips.succeeded, 'good', t.billing_status_chips.the_amount_was_charged],
  declined: [t.billing_status_chips.declined, 'bad', t.billing_status_chips.the_amount_was_not_charged],
  absent: [t.billing_status_chips.never_arrived, 'neutral', t.billing_status_chips.the_provider_never_got_the],
};

export function ChargeStatusChip({ state }: Pick<Charge, 'state'>) {
  return <StatusChip texts={chargeTexts} state={state} />;
}

const outcomeTexts: Readonly<Record<string, readonly [label: string, meaning: string]>> = {
  ok: [t.billing_status_chips.works, t.billing_status_chips.every_charge_succeeds],
  declined: [t.billing_status_chips.is_declined, t.billing_status_chips.every_charge_is_declined_as],
  timeout_then_ok: [t.billing_status_chips.answers_late, t.billing_status_chips.the_first_call_is_lost],
  insufficient_then_ok: [t.billing_status_chips.has_too_little_at_first, t.billing_status_chips.the_first_charge_is_declined],
};

export const outcomeLabel = (word: string): string => outcomeTexts[word]?.[0] ?? word;
export const outcomeMeaning = (word: string): string => outcomeTexts[word]?.[1] ?? t.billing_status_chips.a_word_that_only_tests;
