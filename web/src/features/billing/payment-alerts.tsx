import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { formatDay } from '../../ui/time.tsx';
import { invoicesQuery } from './billing-api.ts';
import styles from './billing.module.css';

const invoicesChecked = 100;
const alertsMax = 3;
const isUnpaid = ({ state }: Invoice): boolean => state === 'retrying' || state === 'past_due' || state === 'charged_back';

/** Failed charges: the cause, what happens next, and what to do. At the top, because they may pause links. */
export function PaymentAlerts({ store }: { readonly store: string }) {
  const invoices = useQuery(invoicesQuery(store, { limit: invoicesChecked }));
  const unpaidInvoices = invoices.data?.data.filter(isUnpaid) ?? [];
  return (
    <>
      {unpaidInvoices.slice(0, alertsMax).map((invoice) => (
        <PaymentAlert key={invoice.id} store={store} invoice={invoice} />
      ))}
      {unpaidInvoices.length > alertsMax && (
        <p className={styles.muted}>{unpaidInvoices.length - alertsMax} more stand in the list of invoices.</p>
      )}
    </>
  );
}

function PaymentAlert({ store, invoice }: { readonly store: string; readonly invoice: Invoice }) {
  const whole = useQuery(apiQuery(apiPath('/stores/{store}/invoices/{invoice}', { store, invoice: invoice.id }, { limit: 1 })));
  const why = whole.data?.charges.findLast(({ state }) => state === 'declined')?.message ?? null;
  const due = whole.data?.due_cents ?? invoice.total_cents;
  return (
    <Alert
      variant="outline"
      color="red"
      icon={<Icon name="alert" />}
      mb="md"
      title={`${invoice.number}, ${formatDollars(due)} USD, ${invoice.state === 'charged_back' ? 'was taken back' : 'could not be charged'}`}
    >
      {why !== null && invoice.state !== 'charged_back' && <p className={styles.notice}>{why}</p>}
      <p className={styles.notice}>{consequenceText(invoice)}</p>
      <p className={styles.notice}>
        Set another payment method below: what is open is charged at once.{' '}
        <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: invoice.id }}>
          Look at {invoice.number}
        </TextLink>
      </p>
    </Alert>
  );
}

const pausedText = 'links of your creators lead to your shop without counting.';

function consequenceText({ state, next_charge_at: at }: Invoice): string {
  if (state === 'charged_back') return `Your bank took the payment back after a dispute. Until it is paid again, ${pausedText}`;
  if (state === 'past_due')
    return `It has failed for a week, so the store is past due: ${pausedText} Orders that you report are still recorded.`;
  return at === null
    ? 'It is not tried again by itself.'
    : `It is tried again on ${formatDay(at)}. If it fails for a week, links of your creators pause.`;
}
