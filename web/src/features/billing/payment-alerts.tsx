import { Alert } from '../../ui/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import type { Invoice } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { formatDay } from '../../ui/time.tsx';
import { invoicesQuery } from './billing-api.ts';
import styles from './billing.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
        <p className={styles.muted}>{t.payment_alerts.more_stand_in_the_list({ value: unpaidInvoices.length - alertsMax })}</p>
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
      color="red"
      title={t.payment_alerts[invoice.state === 'charged_back' ? 'was_taken_back' : 'could_not_be_charged']({
        number: invoice.number,
        due,
      })}
    >
      {why !== null && invoice.state !== 'charged_back' && <p className={styles.notice}>{why}</p>}
      <p className={styles.notice}>{consequenceText(invoice)}</p>
      <p className={styles.notice}>
        {rich(t.payment_alerts.set_another_payment_method_below({ number: invoice.number }), {
          link: <TextLink to="/stores/$store/billing" params={{ store }} search={{ open: invoice.id }} />,
        })}
      </p>
    </Alert>
  );
}

const pausedText = t.payment_alerts.links_of_your_creators_lead;

function consequenceText({ state, next_charge_at: at }: Invoice): string {
  if (state === 'charged_back') return t.payment_alerts.your_bank_took_the_payment({ pausedText });
  if (state === 'past_due') return t.payment_alerts.it_has_failed_for_a({ pausedText });
  return at === null ? t.payment_alerts.it_is_not_tried_again : t.payment_alerts.it_is_tried_again_on({ at: formatDay(at) });
}
