import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Store } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

export function StoreSettings() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const currentStore = useQuery(storeQuery(store));
  return (
    <Page title={t.store_settings.settings} narrow intro={t.store_settings.name_site_integration_and_archive}>
      {currentStore.isPending && <Section title={t.store_settings.store} bare children={<LoadingSkeleton />} />}
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
    <Section title={t.store_settings.store}>
      <DescriptionList
        items={[
          ...(mayManage
            ? []
            : [[t.store_settings.name, currentStore.name] as const, [t.store_settings.site, currentStore.site_url] as const]),
          [t.store_settings.state, <StoreStatusChip key="s" status={currentStore.status} />],
          [t.store_settings.created, <Time key="c" at={currentStore.created_at} dateOnly />],
        ]}
      />
      {mayManage && (
        <div className={styles.below}>
          <Form
            key={currentStore.name}
            send={(values) => api.patch(storePath(currentStore.id), { name: values.text('name') })}
            done={() => refresh(client, '/stores', '/session')}
            submit={t.store_settings.rename}
          >
            <TextField
              name="name"
              label={t.store_settings.name}
              description={t.store_settings.creators_see_this_name}
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
    <Section title={t.store_settings.integration} intro={t.store_settings.controls_whether_postbacks_from_yo}>
      <div className={styles.above}>
        <IntegrationStatusChip integration={currentStore.integration} />
      </div>
      {mayWrite && <IntegrationSwitch currentStore={currentStore} />}
    </Section>
  );
}

/** Emails go by role. Each person can switch off those that are not essential. */
const EmailRecipients = () => (
  <Section title={t.store_settings.emails} intro={t.store_settings.team_roles_decide_who_gets}>
    <DescriptionList
      items={[
        [t.store_settings.owners_finance, t.store_settings.invoices_declined_charges_past_due],
        [t.store_settings.owners_finance_marketers, t.store_settings.upcoming_auto_approvals_and_disput],
        [t.store_settings.owners_marketers, t.store_settings.new_applications_to_programs],
        [t.store_settings.owners_developers, t.store_settings.webhook_endpoints_that_were_turned],
      ]}
    />
    <p className={styles.below}>{rich(t.store_settings.each_person_can_turn_off, { link: <TextLink to="/account" /> })}</p>
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
    <Section title={t.store_settings.site} intro={t.store_settings.creators_links_can_only_lead}>
      <DescriptionList items={[[t.store_settings.url, currentStore.site_url]]} />
      <Button className={styles.below ?? ''} variant="default" size="xs" onClick={() => setOpened(true)}>
        {t.store_settings.change_site}
      </Button>
      <Dialog title={t.store_settings.change_the_site_of({ name: currentStore.name })} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) =>
            api.patch(storePath(currentStore.id), {
              site_url: values.text('site_url'),
              move_landing_pages: values.all('move_landing_pages').length > 0,
            })
          }
          done={done}
          submit={t.store_settings.change_site}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {t.store_settings.cancel}
            </Button>
          }
        >
          <TextField
            name="site_url"
            label={t.store_settings.new_url}
            description={t.store_settings.currently({ siteUrl: currentStore.site_url })}
            placeholder="https://northwind.example"
            type="url"
            inputMode="url"
            data-autofocus
          />
          <MoveLandingPagesOption />
          <div>
            <p>{t.store_settings.what_changes_when_you_save}</p>
            <ul className={styles.list}>
              <li>{t.store_settings.tracking_links_only_redirect_to}</li>
              <li>{t.store_settings.test_links_stop_working_if}</li>
              <li>{t.store_settings.orders_commissions_keys_and_webhoo}</li>
            </ul>
            <p>{t.store_settings.add_the_tracking_script_to}</p>
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
    label={t.store_settings.move_landing_pages_outside_the}
    description={t.store_settings.landing_pages_of_programs_and}
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
      title={isArchived ? t.store_settings.unarchive_store : t.store_settings.archive_store}
      intro={isArchived ? t.store_settings.the_store_is_archived_its : t.store_settings.for_a_store_that_is}
    >
      {isArchived ? (
        <ConfirmButton
          label={t.store_settings.unarchive}
          subject={t.store_settings.store_2}
          title={t.store_settings.unarchive_2({ name: currentStore.name })}
          confirm={t.store_settings.unarchive_store_2}
          run={async () => {
            await api.post(apiPath('/stores/{store}/unarchive', { store: currentStore.id }));
            await refresh(client, '/stores');
          }}
        >
          <p>{t.store_settings.its_links_count_again_and}</p>
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
    if (typed !== currentStore.name) throw fieldError('typed_name', t.store_settings.must_be_exactly({ name: currentStore.name }));
    await api.post(apiPath('/stores/{store}/archive', { store: currentStore.id }));
  };
  const done = async () => {
    await refresh(client, '/stores');
    setOpened(false);
  };
  return (
    <>
      <ul className={styles.list}>
        <li>{t.store_settings.creators_links_still_lead_to}</li>
        <li>{t.store_settings.all_postbacks_fail_including_refun}</li>
        <li>{t.store_settings.approved_commissions_past_their_re}</li>
      </ul>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {t.store_settings.archive_store}
      </Button>
      <Dialog title={t.store_settings.archive({ name: currentStore.name })} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) => archive(values.text('typed_name'))}
          done={done}
          submit={t.store_settings.archive_store_2}
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {t.store_settings.cancel}
            </Button>
          }
        >
          <TextField
            name="typed_name"
            label={t.store_settings.enter_the_stores_name_to}
            description={currentStore.name}
            autoComplete="off"
            data-autofocus
          />
        </Form>
      </Dialog>
    </>
  );
}
