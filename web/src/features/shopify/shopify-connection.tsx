import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { ShopifyConnection } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { shopifyPath } from './shopify-api.ts';
import { t } from './messages.ts';

const shopLengthMax = 80;
const secretLengthMax = 200;

type StoreConnection = { readonly store: string; readonly connection: ShopifyConnection };

/** The app of this installation, if it has one, or an app of the merchant's own. */
export const ConnectSections = ({ store, connection }: StoreConnection) => (
  <>
    {connection.can_install && (
      <Section title={t.shopify.install} intro={t.shopify.install_intro}>
        <InstallForm store={store} />
      </Section>
    )}
    <Section title={t.shopify.own_app} intro={t.shopify.own_app_intro}>
      <OwnAppForm store={store} />
    </Section>
  </>
);

function ShopField() {
  const { shop } = useSearch({ from: '/signed-in/stores/$store/integration/shopify' });
  return (
    <TextField
      name="shop"
      label={t.shopify.shop}
      description={t.shopify.shop_hint}
      defaultValue={shop}
      autoComplete="off"
      spellCheck={false}
      maxLength={shopLengthMax}
    />
  );
}

const InstallForm = ({ store }: { readonly store: string }) => (
  <Form
    send={async (values, idempotencyKey) =>
      api.post(apiPath('/stores/{store}/shopify/install', { store }), { shop: values.text('shop') }, idempotencyKey)
    }
    done={({ url }) => location.assign(url)}
    submit={t.shopify.open_shopify}
  >
    <ShopField />
  </Form>
);

function OwnAppForm({ store }: { readonly store: string }) {
  const client = useQueryClient();
  return (
    <Form
      send={async (values) =>
        api.put(shopifyPath(store), {
          shop: values.text('shop'),
          client_id: values.text('client_id'),
          client_secret: values.text('client_secret'),
        })
      }
      done={() => refresh(client, shopifyPath(store))}
      submit={t.shopify.connect}
    >
      <ShopField />
      <TextField name="client_id" label={t.shopify.client_id} autoComplete="off" spellCheck={false} maxLength={secretLengthMax} />
      <TextField
        name="client_secret"
        label={t.shopify.client_secret}
        description={t.shopify.client_secret_hint}
        autoComplete="off"
        spellCheck={false}
        maxLength={secretLengthMax}
      />
    </Form>
  );
}

export function ConnectionSection({ store, connection, mayChange }: StoreConnection & { readonly mayChange: boolean }) {
  const { shop, app, connected_at: connected, last_webhook_at: last, compared_until: compared } = connection;
  return (
    <Section title={t.shopify.connection} actions={mayChange && <Disconnect store={store} />}>
      <DescriptionList
        items={[
          [t.shopify.shop, shop ?? ''],
          [t.shopify.app, app === 'own' ? t.shopify.app_own : t.shopify.app_installation],
          ...(connected === null ? [] : [[t.shopify.connected_at, <Time key="c" at={connected} />] as const]),
          [t.shopify.last_webhook, last === null ? t.shopify.none_yet : <Time key="l" at={last} />],
          ...(compared === null ? [] : [[t.shopify.compared_until, <Time key="u" at={compared} />] as const]),
        ]}
      />
    </Section>
  );
}

function Disconnect({ store }: { readonly store: string }) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label={t.shopify.disconnect}
      danger
      title={t.shopify.disconnect_title}
      confirm={t.shopify.disconnect_confirm}
      run={async () => {
        await api.delete(shopifyPath(store));
        await refresh(client, shopifyPath(store));
      }}
    >
      <p>{t.shopify.disconnect_shop}</p>
      <p>{t.shopify.disconnect_orders}</p>
    </ConfirmButton>
  );
}
