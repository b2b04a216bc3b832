import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dollarsOf } from '../parts/amounts.ts';
import { Icon } from '../parts/icons.tsx';
import { TextLink } from '../parts/links.tsx';
import { reading } from '../parts/reading.ts';
import { localDay } from '../parts/time.tsx';
import { invoiceList, invoicesPath, type Invoice, type WholeInvoice } from './billing-api.ts';
import styles from './billing.module.css';

const lookedAt = 100;
const toldMost = 3;
const isTrouble = ({ state }: Invoice): boolean => state === 'retrying' || state === 'past_due' || state === 'charged_back';

/** What could not be charged: why, what happens by itself, and what to do. Above all else, because links may be paused by it. */
export function BillingTroubles({ store }: { readonly store: string }) {
  const invoices = useQuery(invoiceList(store, { limit: lookedAt }));
  const troubles = invoices.data?.data.filter(isTrouble) ?? [];
  return (
    <>
      {troubles.slice(0, toldMost).map((invoice) => (
        <Trouble key={invoice.id} store={store} invoice={invoice} />
      ))}
      {troubles.length > toldMost && <p className={styles.quiet}>{troubles.length - toldMost} more stand in the list of invoices.</p>}
    </>
  );
}

function Trouble({ store, invoice }: { readonly store: string; readonly invoice: Invoice }) {
  const whole = useQuery(reading<WholeInvoice>(`${invoicesPath(store)}/${invoice.id}?limit=1`));
  const why = whole.data?.charges.findLast(({ state }) => state === 'declined')?.message ?? null;
  const due = whole.data?.due_cents ?? invoice.total_cents;
  return (
    <Alert
      variant="outline"
      color="red"
      icon={<Icon name="alert" />}
      mb="md"
      title={`${invoice.number}, ${dollarsOf(due)} USD, ${invoice.state === 'charged_back' ? 'was taken back' : 'could not be charged'}`}
    >
      {why !== null && invoice.state !== 'charged_back' && <p className={styles.said}>{why}</p>}
      <p className={styles.said}>{consequence(invoice)}</p>
      <p className={styles.said}>
        Set another payment method below: what is open is charged at once.{' '}
        <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: invoice.id }}>
          Look at {invoice.number}
        </TextLink>
      </p>
    </Alert>
  );
}

const paused = 'links of your creators lead to your shop without counting.';

function consequence({ state, next_charge_at: at }: Invoice): string {
  if (state === 'charged_back') return `Your bank took the payment back after a dispute. Until it is paid again, ${paused}`;
  if (state === 'past_due')
    return `It has failed for a week, so the store is past due: ${paused} Orders that you report are still recorded.`;
  return at === null
    ? 'It is not tried again by itself.'
    : `It is tried again on ${localDay(at)}. If it fails for a week, links of your creators pause.`;
}
