import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { arrivedWith } from './arrived-with.ts';
import { t } from './messages.ts';

/** The store is the first part of the state, which the service created. */
const storeIn = (query: string): string => new URLSearchParams(query).get('state')?.split('.')[0] ?? '';

/** Shopify returns the person here after they confirmed the installation. */
export function ShopifyCallbackPage() {
  const navigate = useNavigate();
  const store = storeIn(arrivedWith);
  const { mutate, error } = useMutation({
    mutationFn: () => api.post(apiPath('/stores/{store}/shopify/install/complete', { store }), { query: arrivedWith }, newIdempotencyKey()),
    onSuccess: () => navigate({ to: '/stores/$store/integration/shopify', params: { store }, replace: true }),
  });
  // React runs effects twice in development, and a callback is accepted once.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate();
  }, [mutate]);
  return (
    <Page title={t.shopify.install} intro={error === null ? t.shopify.completing : undefined}>
      {error !== null && (
        <Section title={t.shopify.not_connected}>
          <ErrorAlert error={error} />
          <TextLink to="/stores">{t.shopify.stores}</TextLink>
        </Section>
      )}
    </Page>
  );
}
