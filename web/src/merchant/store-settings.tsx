import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { ArchiveStore } from './archive-store.tsx';
import { IntegrationChip, StoreChip } from './store-chips.tsx';
import styles from './store-settings.module.css';
import { storePath, storeReading, type Store } from './stores-api.ts';

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
            <TextField name="name" label="Name" description="Creators see it too." maxLength={200} defaultValue={shop.name} />
          </Form>
        </div>
      )}
    </Section>
  );
}

function Integration({ shop }: { readonly shop: Store }) {
  const client = useQueryClient();
  const mayWrite = useMay(shop.id)('integration:write');
  const isOn = shop.integration === 'enabled';
  const turn = async (word: 'enable' | 'disable') => {
    await api.post(`${storePath(shop.id)}/integration/${word}`);
    await refresh(client, '/stores');
  };
  return (
    <Section title="Integration" intro="Whether reports of your server are taken. Links and clicks are not touched by it.">
      <div className={styles.above}>
        <IntegrationChip integration={shop.integration} />
      </div>
      {mayWrite && isOn && (
        <ConfirmButton
          label="Disable"
          of="the integration"
          title="Disable the integration?"
          confirm="Disable it"
          danger
          run={() => turn('disable')}
        >
          <p>Every report of your server is refused from now on, orders and refunds alike, and told in the tracking log.</p>
          <p>What was refused is not sent again by itself: send it once more after you enabled it again.</p>
        </ConfirmButton>
      )}
      {mayWrite && !isOn && (
        <ConfirmButton label="Enable" of="the integration" title="Enable the integration?" confirm="Enable it" run={() => turn('enable')}>
          <p>Reports of your server are taken again from now on. Send what was refused meanwhile once more.</p>
        </ConfirmButton>
      )}
    </Section>
  );
}

/** Who is told what goes by roles, and there is nothing to switch. */
const Mails = () => (
  <Section title="Mails" intro="Who gets which mail goes by their role in the team. There is nothing to switch.">
    <Facts
      facts={[
        ['Owners, finance', 'Invoices, charges that failed, the store being past due, payments taken back.'],
        ['Owners, finance, marketers', 'What approves itself within two days.'],
      ]}
    />
  </Section>
);
