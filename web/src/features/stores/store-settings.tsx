import { Button, Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Store } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog, ConfirmButton } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useFieldError, fieldError } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { IntegrationSwitch } from '../integration/integration-switch.tsx';
import styles from './store-settings.module.css';
import { IntegrationStatusChip, StoreStatusChip } from './store-status-chips.tsx';
import { storeNameLengthMax, storePath, storeQuery } from './stores-api.ts';

export function StoreSettings() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const currentStore = useQuery(storeQuery(store));
  return (
    <Page title="Settings" narrow intro="Name, site, integration, and archive.">
      {currentStore.isPending && <Section title="Store" bare children={<LoadingSkeleton />} />}
      <ErrorAlert error={currentStore.error} onRetry={() => void currentStore.refetch()} />
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
        items={[
          ...(mayManage ? [] : [['Name', currentStore.name] as const, ['Site', currentStore.site_url] as const]),
          ['State', <StoreStatusChip key="s" status={currentStore.status} />],
          ['Made', <Time key="c" at={currentStore.created_at} dateOnly />],
        ]}
      />
      {mayManage && (
        <div className={styles.below}>
          <Form
            key={currentStore.name}
            send={(values) => api.patch(storePath(currentStore.id), { name: values.text('name') })}
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
      items={[
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

function StoreSite({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const mayManage = usePermission(currentStore.id)('store:manage');
  const [opened, setOpened] = useState(false);
  if (!mayManage) return null;
  const done = async () => {
    await refresh(client, '/stores');
    setOpened(false);
  };
  return (
    <Section title="Site" intro="Creators’ links lead only to pages of this site.">
      <DescriptionList items={[['Address', currentStore.site_url]]} />
      <Button className={styles.below ?? ''} variant="default" size="xs" onClick={() => setOpened(true)}>
        Change site
      </Button>
      <Dialog title={`Change the site of ${currentStore.name}`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) =>
            api.patch(storePath(currentStore.id), {
              site_url: values.text('site_url'),
              move_landing_pages: values.all('move_landing_pages').length > 0,
            })
          }
          done={done}
          submit="Change site"
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          <TextField
            name="site_url"
            label="New address"
            description={`Now ${currentStore.site_url}`}
            placeholder="https://northwind.example"
            type="url"
            inputMode="url"
            data-autofocus
          />
          <MoveLandingPagesOption />
          <div>
            <p>What changes as soon as you save:</p>
            <ul className={styles.list}>
              <li>Tracking links redirect only to the new site. Links that creators shared keep their addresses.</li>
              <li>Test links stop working if the host changes. Create new ones.</li>
              <li>Orders, commissions, keys, and webhooks stay as they are.</li>
            </ul>
            <p>The pages of the new site need the tracking script, or your server has to save click IDs there.</p>
          </div>
        </Form>
      </Dialog>
    </Section>
  );
}

/** The service rejects a site that would leave landing pages outside it; the error says how many. */
const MoveLandingPagesOption = () => (
  <Checkbox
    name="move_landing_pages"
    value="yes"
    label="Move landing pages that are outside the new site"
    description="Landing pages of programs and links get the new host and keep their paths and queries."
    error={useFieldError('move_landing_pages')}
  />
);

/** Archives a store and restores it. Nothing is deleted. */
export function ArchiveStore({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const mayManage = usePermission(currentStore.id)('store:manage');
  if (!mayManage) return null;
  const isArchived = currentStore.status === 'archived';
  return (
    <Section
      title={isArchived ? 'Take it out of the archive' : 'Archive the store'}
      intro={
        isArchived
          ? 'The store is put away. Its links lead to the shop without counting, and reports of its server are refused.'
          : 'For a shop that is closed, or that leaves. Nothing is deleted, and it can be taken out again.'
      }
    >
      {isArchived ? (
        <ConfirmButton
          label="Unarchive"
          subject="the store"
          title={`Take ${currentStore.name} out of the archive?`}
          confirm="Take it out"
          run={async () => {
            await api.post(apiPath('/stores/{store}/unarchive', { store: currentStore.id }));
            await refresh(client, '/stores');
          }}
        >
          <p>Its links count again, and reports of its server are taken again. Programs are as they were.</p>
        </ConfirmButton>
      ) : (
        <ArchiveButton currentStore={currentStore} />
      )}
    </Section>
  );
}

function ArchiveButton({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const archive = async (typed: string) => {
    if (typed !== currentStore.name) throw fieldError('typed_name', `must be exactly: ${currentStore.name}`);
    await api.post(apiPath('/stores/{store}/archive', { store: currentStore.id }));
  };
  const done = async () => {
    await refresh(client, '/stores');
    setOpened(false);
  };
  return (
    <>
      <ul className={styles.list}>
        <li>Links of creators still lead to the shop, but clicks on them do not count.</li>
        <li>Reports of its server are refused, refunds too: what is open is reported before.</li>
        <li>What is approved and past its hold is billed once more, however little it is, and goes to its creators.</li>
      </ul>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Archive the store
      </Button>
      <Dialog title={`Archive ${currentStore.name}?`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) => archive(values.text('typed_name'))}
          done={done}
          submit="Archive it"
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          <TextField name="typed_name" label="Type the store’s name" description={currentStore.name} autoComplete="off" data-autofocus />
        </Form>
      </Dialog>
    </>
  );
}
