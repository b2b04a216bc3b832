import type { Subscription, SubscriptionInvoice } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import styles from './subscriptions.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

export function SubscriptionStatusChips({ subscription: { state, held, rule } }: { readonly subscription: Subscription }) {
  return (
    <span className={styles.chips}>
      {state === 'active' ? (
        <Chip
          label={t.subscription_status_chips.active}
          tone="good"
          meaning={t.subscription_status_chips.paid_invoices_earn_commissions_by}
        />
      ) : (
        <Chip label={t.subscription_status_chips.ended} tone="neutral" meaning={t.subscription_status_chips.your_server_reported_its_end} />
      )}
      {held && (
        <Chip
          label={t.subscription_status_chips.on_hold}
          tone="bad"
          meaning={t.subscription_status_chips.an_invoice_was_for({
            value: held.reason === 'product_mismatch' ? 'product' : 'price',
          })}
        />
      )}
      {rule === null && (
        <Chip
          label={t.subscription_status_chips.no_commission}
          tone="neutral"
          meaning={t.subscription_status_chips.no_commission_rule_matched_its}
        />
      )}
    </span>
  );
}

const meaningOf = ({ explanation }: SubscriptionInvoice): string | null => explanation && localizeTimes(explanation);

export function InvoiceEarningsChip({ invoice }: { readonly invoice: SubscriptionInvoice }) {
  if (invoice.reversed_at !== null)
    return (
      <Chip label={t.subscription_status_chips.reversed} tone="bad" meaning={t.subscription_status_chips.the_invoice_was_refunded_so} />
    );
  switch (invoice.earns) {
    case 'commission':
      return (
        <Chip
          label={t.subscription_status_chips.earns}
          tone="good"
          meaning={meaningOf(invoice) ?? t.subscription_status_chips.it_earned_a_commission}
        />
      );
    case 'waits':
      return <Chip label={t.subscription_status_chips.waiting} tone="wait" meaning={t.subscription_status_chips.it_was_paid_while_the} />;
    case 'nothing':
      return (
        <Chip
          label={t.subscription_status_chips.no_commission_2}
          tone="neutral"
          meaning={meaningOf(invoice) ?? t.subscription_status_chips.it_earned_no_commission}
        />
      );
    case 'not_paid':
      return (
        <Chip label={unpaidLabels[invoice.state]} tone="neutral" meaning={t.subscription_status_chips.only_paid_invoices_earn_commission} />
      );
  }
}

const unpaidLabels: Readonly<Record<SubscriptionInvoice['state'], string>> = {
  paid: t.subscription_status_chips.paid,
  open: t.subscription_status_chips.open,
  failed: t.subscription_status_chips.failed,
  void: t.subscription_status_chips.void,
  uncollectible: t.subscription_status_chips.uncollectible,
};
