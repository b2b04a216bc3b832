import type { Subscription, SubscriptionInvoice } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import styles from './subscriptions.module.css';

export function SubscriptionStatusChips({ subscription: { state, held, rule } }: { readonly subscription: Subscription }) {
  return (
    <span className={styles.chips}>
      {state === 'active' ? (
        <Chip label="Active" tone="good" meaning="Its paid invoices earn by the rule that was bound." />
      ) : (
        <Chip label="Ended" tone="neutral" meaning="Your server reported its end. Invoices after it earn nothing." />
      )}
      {held && (
        <Chip
          label="Held"
          tone="bad"
          meaning={`An invoice was for another ${held.reason === 'product_mismatch' ? 'product' : 'price'} than the one that was bound. What is paid waits until you decide.`}
        />
      )}
      {rule === null && (
        <Chip
          label="Without commission"
          tone="neutral"
          meaning="No rule of the program fitted its product when it was bound, so it earns nothing, for good."
        />
      )}
    </span>
  );
}

export function InvoiceEarningsChip({ invoice }: { readonly invoice: SubscriptionInvoice }) {
  if (invoice.reversed_at !== null)
    return <Chip label="Reversed" tone="bad" meaning="The invoice was refunded, so its commission ended." />;
  switch (invoice.earns) {
    case 'commission':
      return <Chip label="Earns" tone="good" meaning={invoice.explanation ?? 'It opened a commission.'} />;
    case 'waits':
      return <Chip label="Waits" tone="wait" meaning="It was paid while the subscription is held. Your decision says what it earns." />;
    case 'nothing':
      return <Chip label="Earns nothing" tone="neutral" meaning={invoice.explanation ?? 'It opened no commission.'} />;
    case 'not_paid':
      return <Chip label={unpaidLabels[invoice.state]} tone="neutral" meaning="Only a paid invoice earns." />;
  }
}

const unpaidLabels: Readonly<Record<SubscriptionInvoice['state'], string>> = {
  paid: 'Paid',
  open: 'Open',
  failed: 'Failed',
  void: 'Void',
  uncollectible: 'Uncollectible',
};
