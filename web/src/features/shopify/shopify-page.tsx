import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ShopifyConnection } from '../../../../sdk/src/api-schema.ts';
import { CopyableValue } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PlainLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { rich } from '../../messages/rich-text.tsx';
import { usePermission } from '../access/permissions.tsx';
import { AddCode } from './add-code.tsx';
import { ConnectionSection, ConnectSections } from './shopify-connection.tsx';
import { ShopifyOrders } from './shopify-orders.tsx';
import { shopifyQuery } from './shopify-api.ts';
import styles from '../../ui/connection.module.css';
import { t } from './messages.ts';

/** Orders arrive while the page is open. */
const refreshMs = 5_000;

/** The store's Shopify shop, whose orders are reported without a server of the store. */
export function ShopifyPage() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const may = usePermission(store);
  const mayChange = may('integration:write');
  const connection = useQuery({ ...shopifyQuery(store), refetchInterval: refreshMs });
  return (
    <Page
      title={t.shopify.title}
      intro={t.shopify.intro}
      above={
        <TextLink to="/stores/$store/integration" params={{ store }}>
          {t.shopify.integration}
        </TextLink>
      }
    >
      {!mayChange && <p className={styles.muted}>{t.shopify.no_access}</p>}
      <QueryView query={connection} lines={8}>
        {(data) =>
          data.is_connected ? (
            <>
              <ConnectionSection store={store} connection={data} mayChange={mayChange} />
              <Health checks={data.health} />
              <ShopifyOrders store={store} mayChange={mayChange} />
              {may('programs:write') && <AddCode store={store} />}
              <TestOrder store={store} />
            </>
          ) : (
            <>
              {mayChange && <ConnectSections store={store} connection={data} />}
              <AppSettings connection={data} />
              <TestOrder store={store} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

const Health = ({ checks }: { readonly checks: ShopifyConnection['health'] }) => (
  <Section title={t.shopify.health}>
    <ul className={styles.checks}>
      {checks.map(({ check, is_ok: isOk, message }) => (
        <li key={check} className={styles.check} data-ok={isOk || undefined}>
          <Icon name={isOk ? 'check' : 'alert'} size={16} />
          <span className="visually-hidden">{isOk ? t.shopify.ok : t.shopify.problem}</span>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  </Section>
);

const AppSettings = ({ connection }: { readonly connection: ShopifyConnection }) => (
  <Section title={t.shopify.app_settings} intro={t.shopify.app_settings_intro}>
    <div className={styles.stack}>
      <h3 className={styles.label}>{t.shopify.scopes}</h3>
      <CopyableValue value={connection.scopes.join(',')} label={t.shopify.scopes} />
      <h3 className={styles.label}>{t.shopify.callback_url}</h3>
      <CopyableValue value={connection.callback_url} label={t.shopify.callback_url} />
    </div>
  </Section>
);

const TestOrder = ({ store }: { readonly store: string }) => (
  <Section title={t.shopify.test_order}>
    <ol className={styles.steps}>
      <li>
        {rich(t.shopify.test_link, {
          link: <TextLink to="/stores/$store/integration" params={{ store }} />,
        })}
      </li>
      <li>{t.shopify.test_buy}</li>
      <li>{t.shopify.test_result}</li>
    </ol>
    <p className={styles.muted}>{rich(t.shopify.guide, { link: <PlainLink href="/docs/platforms#shopify" /> })}</p>
  </Section>
);
