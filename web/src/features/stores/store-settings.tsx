import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/use-permission.ts';
import { ArchiveStore } from './archive-store.tsx';
import { StoreSite } from './store-site.tsx';
import { IntegrationSwitch } from '../integration/integration-switch.tsx';
import { IntegrationStatusChip, StoreStatusChip } from './store-status-chips.tsx';
import styles from './store-settings.module.css';
import { storeNameLengthMax, storePath, storeQuery, type Store } from './stores-api.ts';

export function StoreSettings() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const currentStore = useQuery(storeQuery(store));
  return (
    <Page title="Settings" narrow intro="Name, site, integration, and archive.">
      {currentStore.isPending && <Section title="Store" bare children={<LoadingSkeleton />} />}
      {currentStore.isError && <ErrorAlert error={currentStore.error} onRetry={() => void currentStore.refetch()} />}
      {currentStore.isSuccess && (
        <>
          <StoreDetails currentStore={currentStore.data} />
          <StoreSite currentStore={currentStore.data} />
          <IntegrationSection currentStore={currentStore.data} />
          <EmailRecipients />
          <ArchiveStore currentStore={currentStore.data} />
        </>
      )}
    </Page>
  );
}

function StoreDetails({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const mayManage = usePermission(currentStore.id)('store:manage');
  return (
    <Section title="Store">
      <DescriptionList
        facts={[
          ...(mayManage ? [] : [['Name', currentStore.name] as const, ['Site', currentStore.site_url] as const]),
          ['State', <StoreStatusChip key="s" status={currentStore.status} />],
          ['Made', <Time key="c" at={currentStore.created_at} dateOnly />],
        ]}
      />
      {mayManage && (
        <div className={styles.below}>
          <Form
            key={currentStore.name}
            send={(values) => api.patch<Store>(storePath(currentStore.id), { name: values.text('name') })}
            done={() => refresh(client, '/stores', '/session')}
            submit="Rename"
          >
            <TextField
              name="name"
              label="Name"
              description="Creators see it too."
              maxLength={storeNameLengthMax}
              defaultValue={currentStore.name}
            />
          </Form>
        </div>
      )}
    </Section>
  );
}

function IntegrationSection({ currentStore }: { readonly currentStore: Store }) {
  const mayWrite = usePermission(currentStore.id)('integration:write');
  return (
    <Section title="Integration" intro="Whether reports of your server are taken. Links and clicks are not touched by it.">
      <div className={styles.above}>
        <IntegrationStatusChip integration={currentStore.integration} />
      </div>
      {mayWrite && <IntegrationSwitch currentStore={currentStore} />}
    </Section>
  );
}

/** Emails go by role. Each person can switch off those that are not essential. */
const EmailRecipients = () => (
  <Section title="Mails" intro="Who is written to goes by their role in the team.">
    <DescriptionList
      facts={[
        ['Owners, finance', 'Invoices, charges that failed, the store being past due, payments taken back.'],
        ['Owners, finance, marketers', 'What approves itself within two days, and creators who object to a rejection.'],
        ['Owners, marketers', 'Creators who apply to a program.'],
        ['Owners, developers', 'Webhook endpoints that were switched off because they took nothing.'],
      ]}
    />
    <p className={styles.below}>
      What approves itself, objections and applications each may switch off for themselves, under{' '}
      <TextLink to="/account">My account</TextLink>.
    </p>
  </Section>
);
