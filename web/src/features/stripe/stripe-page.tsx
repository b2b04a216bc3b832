import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { StripeConnection } from '../../../../sdk/src/api-schema.ts';
import { CodeBlock } from '../../ui/code.tsx';
import { CopyableValue } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PlainLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { rich } from '../../messages/rich-text.tsx';
import { paymentLinkTag } from '../integration/snippets/script-tags.ts';
import { usePermission } from '../access/permissions.tsx';
import { ConnectionSection } from './stripe-connection.tsx';
import { StripeEvents } from './stripe-events.tsx';
import { stripeQuery } from './stripe-api.ts';
import styles from '../../ui/connection.module.css';
import { t } from './messages.ts';

/** Events arrive while the page is open. */
const refreshMs = 5_000;

/** The store's Stripe account, whose events become orders without a server of the store. */
export function StripePage() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const mayChange = usePermission(store)('integration:write');
  const connection = useQuery({ ...stripeQuery(store), refetchInterval: refreshMs });
  return (
    <Page
      title={t.stripe.title}
      intro={t.stripe.intro}
      above={
        <TextLink to="/stores/$store/integration" params={{ store }}>
          {t.stripe.integration}
        </TextLink>
      }
    >
      {!mayChange && <p className={styles.muted}>{t.stripe.no_access}</p>}
      <QueryView query={connection} lines={8}>
        {(data) =>
          data.is_connected ? (
            <>
              <ConnectionSection store={store} connection={data} mayChange={mayChange} />
              <Health checks={data.health} />
              <StripeEvents store={store} mayChange={mayChange} />
              <EndpointInStripe connection={data} />
              <PaymentLinkTag />
            </>
          ) : (
            <>
              <EndpointInStripe connection={data} />
              <ConnectionSection store={store} connection={data} mayChange={mayChange} />
              <PaymentLinkTag />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

const Health = ({ checks }: { readonly checks: StripeConnection['health'] }) => (
  <Section title={t.stripe.health}>
    <ul className={styles.checks}>
      {checks.map(({ check, is_ok: isOk, message }) => (
        <li key={check} className={styles.check} data-ok={isOk || undefined}>
          <Icon name={isOk ? 'check' : 'alert'} size={16} />
          <span className="visually-hidden">{isOk ? t.stripe.ok : t.stripe.problem}</span>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  </Section>
);

const EndpointInStripe = ({ connection }: { readonly connection: StripeConnection }) => (
  <Section title={t.stripe.endpoint} intro={t.stripe.endpoint_intro}>
    <div className={styles.stack}>
      <h3 className={styles.label}>{t.stripe.endpoint_url}</h3>
      <CopyableValue value={connection.endpoint_url} label={t.stripe.endpoint_url} />
      <h3 className={styles.label}>{t.stripe.events_to_select}</h3>
      <CodeBlock value={connection.event_types.join('\n')} label={t.stripe.events_to_select} />
    </div>
  </Section>
);

const PaymentLinkTag = () => (
  <Section title={t.stripe.tag} intro={t.stripe.tag_intro}>
    <div className={styles.stack}>
      <CodeBlock value={paymentLinkTag(location)} label={t.stripe.tag_label} />
      <p className={styles.muted}>{rich(t.stripe.guide, { link: <PlainLink href="/docs/platforms#stripe" /> })}</p>
    </div>
  </Section>
);
