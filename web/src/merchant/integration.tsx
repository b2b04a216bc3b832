import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { Copyable } from '../parts/copy.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { useMay } from '../people/may.ts';
import { PostbackKeys } from './postback-keys.tsx';
import { IntegrationChip, TrackingChip } from './store-chips.tsx';
import { TestLink } from './test-link.tsx';
import { storePath, storeReading, type Store } from './stores-api.ts';
import { Facts } from '../parts/facts.tsx';

/** What the shop's developer needs: the script, the keys, and the switch. */
export function Integration() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const shop = useQuery(storeReading(store));
  return (
    <Page title="Integration" intro="How the shop and Tributary talk: a script notices the click, your server reports the paid order.">
      {shop.isPending && <Waiting />}
      {shop.isError && <ProblemNote problem={shop.error} onRetry={() => void shop.refetch()} />}
      {shop.isSuccess && <Parts shop={shop.data} />}
    </Page>
  );
}

function Parts({ shop }: { readonly shop: Store }) {
  const mayChange = useMay(shop.id)('integration:write');

  return (
    <>
      <Section title="State" actions={mayChange && <Switch shop={shop} />}>
        <Facts
          facts={[
            ['Integration', <IntegrationChip key="i" integration={shop.integration} />],
            ['Tracking', <TrackingChip key="t" isOn={shop.tracking_on} />],
            ['Tracking key', <Copyable key="k" value={shop.tracking_key} label="the tracking key" />],
          ]}
        />
      </Section>
      <Section
        title="Script tag"
        intro="Goes into the head of every page a creator’s link can lead to. It keeps the click’s ID in a cookie of your own site, nothing else."
      >
        <Copyable value={scriptTag()} label="the script tag" />
      </Section>
      <PostbackKeys store={shop.id} />
      {mayChange && <TestLink shop={shop} />}
    </>
  );
}

const scriptTag = () => `<script src="${location.origin}/api/pn/sdk/v1.js" defer></script>`;

function Switch({ shop }: { readonly shop: Store }) {
  const client = useQueryClient();
  const change = (word: 'enable' | 'disable') => async () => {
    await api.post(`${storePath(shop.id)}/integration/${word}`);
    await refresh(client, '/stores');
  };
  return shop.integration === 'enabled' ? (
    <ConfirmButton label="Disable" title="Disable the integration?" confirm="Disable it" danger run={change('disable')}>
      <p>Every postback of your server is refused until you enable it again. Orders reported meanwhile are not recorded.</p>
    </ConfirmButton>
  ) : (
    <ConfirmButton label="Enable" title="Enable the integration?" confirm="Enable it" run={change('enable')}>
      <p>Postbacks are read again from now on. Send what was refused meanwhile once more.</p>
    </ConfirmButton>
  );
}
