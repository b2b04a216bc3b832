import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { Facts } from '../parts/facts.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { ArchiveStore } from './archive-store.tsx';
import { IntegrationSwitch } from './integration-switch.tsx';
import { IntegrationChip, StoreChip } from './store-chips.tsx';
import styles from './store-settings.module.css';
import { storeNameLengthMax, storePath, storeReading, type Store } from './stores-api.ts';

export function StoreSettings() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const shop = useQuery(storeReading(store));
  return (
    <Page title="Settings" narrow intro="What the store is called, and what switches it off.">
      {shop.isPending && <Section title="Store" bare children={<Waiting />} />}
      {shop.isError && <ProblemNote problem={shop.error} onRetry={() => void shop.refetch()} />}
      {shop.isSuccess && (
        <>
          <About shop={shop.data} />
          <Integration shop={shop.data} />
          <Mails />
          <ArchiveStore shop={shop.data} />
        </>
      )}
    </Page>
  );
}

function About({ shop }: { readonly shop: Store }) {
  const client = useQueryClient();
  const mayManage = useMay(shop.id)('store:manage');
  return (
    <Section title="Store">
      <Facts
        facts={[
          ...(mayManage ? [] : [['Name', shop.name] as const]),
          ['Site', shop.site_url],
          ['State', <StoreChip key="s" status={shop.status} />],
          ['Made', <Time key="c" at={shop.created_at} dateOnly />],
        ]}
      />
      {mayManage && (
        <div className={styles.below}>
          <Form
            key={shop.name}
            send={(values) => api.patch<Store>(storePath(shop.id), { name: values.text('name') })}
            done={() => refresh(client, '/stores', '/session')}
            submit="Rename"
          >
            <TextField
              name="name"
              label="Name"
              description="Creators see it too."
              maxLength={storeNameLengthMax}
              defaultValue={shop.name}
            />
          </Form>
        </div>
      )}
    </Section>
  );
}

function Integration({ shop }: { readonly shop: Store }) {
  const mayWrite = useMay(shop.id)('integration:write');
  return (
    <Section title="Integration" intro="Whether reports of your server are taken. Links and clicks are not touched by it.">
      <div className={styles.above}>
        <IntegrationChip integration={shop.integration} />
      </div>
      {mayWrite && <IntegrationSwitch shop={shop} />}
    </Section>
  );
}

/** Who is told what goes by roles; whoever is told may say that they would rather not, where nothing is lost by it. */
const Mails = () => (
  <Section title="Mails" intro="Who is written to goes by their role in the team.">
    <Facts
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
