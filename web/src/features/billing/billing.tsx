import { lazy, Suspense } from 'react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';
import { PaymentAlerts } from './payment-alerts.tsx';
import { CreditNotes } from './credit-notes.tsx';
import { Invoices } from './invoices.tsx';
import { NextCharge, ReserveNote } from './next-charge.tsx';
import { PaymentMethodsSection } from './payment-methods.tsx';
import { t } from './messages.ts';

const InvoiceDrawer = lazy(async () => ({ default: (await import('./invoice-drawer.tsx')).InvoiceDrawer }));

/** What the store is charged: failures first, then the next charge, payment methods, and past invoices. */
export function Billing() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { open } = useSearch({ from: '/signed-in/stores/$store/billing' });
  const navigate = useNavigate({ from: '/stores/$store/billing' });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  return (
    <Page
      title={t.billing.billing}
      intro={t.billing.you_are_charged_once}
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/statement" params={{ store }}>
          {t.billing.statement}
        </ButtonLink>
      }
    >
      <PaymentAlerts store={store} />
      <NextCharge store={store} />
      <ReserveNote store={store} />
      <PaymentMethodsSection store={store} />
      <Invoices store={store} show={show} />
      <CreditNotes store={store} show={show} />
      {open !== undefined && (
        <Suspense>
          <InvoiceDrawer store={store} id={open} close={() => show(undefined)} />
        </Suspense>
      )}
    </Page>
  );
}
