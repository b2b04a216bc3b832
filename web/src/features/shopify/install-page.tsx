import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { newestStoresQuery } from '../stores/stores-api.ts';
import styles from '../../ui/connection.module.css';
import { t } from './messages.ts';

const storesShownMax = 100;

/** Opened from Shopify with the name of a shop. The person selects which store it belongs to, and confirms in Shopify. */
export function ShopifyInstallPage() {
  const { shop } = useSearch({ from: '/signed-in/shopify/install' });
  const stores = useQuery(newestStoresQuery(storesShownMax));
  return (
    <Page title={t.shopify.install} intro={t.shopify.select_store}>
      <Section title={t.shopify.stores}>
        <QueryView query={stores} lines={3}>
          {({ data }) => (
            <ul className={styles.checks}>
              {data.map(({ id, name }) => (
                <li key={id} className={styles.check}>
                  <TextLink to="/stores/$store/integration/shopify" params={{ store: id }} search={{ shop }}>
                    {name}
                  </TextLink>
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </Section>
    </Page>
  );
}
