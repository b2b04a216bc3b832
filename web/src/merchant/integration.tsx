import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Copyable } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { useMay } from '../people/may.ts';
import { GoLive } from './go-live.tsx';
import { integrationPath, integrationReading, testLinksPath, testLinksReading, type IntegrationState } from './integration-api.ts';
import { IntegrationSwitch } from './integration-switch.tsx';
import styles from './integration.module.css';
import { LaterReports } from './later-reports.tsx';
import { Lights } from './lights.tsx';
import { Linter } from './linter.tsx';
import { LiveRequests } from './live-requests.tsx';
import { useLiveLog } from './live-log.ts';
import { PostbackKeys } from './postback-keys.tsx';
import { ReportOrder } from './report-order.tsx';
import { SaveClick } from './save-click.tsx';
import { ScriptTag } from './script-tag.tsx';
import type { SnippetFacts } from './snippets/facts.ts';
import { IntegrationChip, TrackingChip } from './store-chips.tsx';
import { storePath, storeReading, type Store } from './stores-api.ts';
import { TestLinks } from './test-links.tsx';

/** What happens elsewhere (a link opened in another tab) is seen without being asked for. */
const lookAgainMs = 5_000;

/** The first ten minutes of a shop's developer: what is proved, what arrives, and each step with what it needs. */
export function Integration() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const shop = useQuery(storeReading(store));
  const state = useQuery({ ...integrationReading(store), refetchInterval: lookAgainMs });
  const problem = shop.error ?? state.error;
  const isThere = shop.data !== undefined && state.data !== undefined;
  return (
    <Page title="Integration" intro="How the shop and Tributary talk: a script notices the click, your server reports the paid order.">
      {!isThere && problem === null && <Waiting lines={8} />}
      {!isThere && problem !== null && (
        <ProblemNote problem={problem} onRetry={() => void Promise.all([shop.refetch(), state.refetch()])} />
      )}
      {isThere && <Steps shop={shop.data} state={state.data} />}
    </Page>
  );
}

type StepsProps = { readonly shop: Store; readonly state: IntegrationState };

function Steps({ shop, state }: StepsProps) {
  const mayChange = useMay(shop.id)('integration:write');
  const [key, setKey] = useState<string | null>(null);
  const links = useQuery({ ...testLinksReading(shop.id), refetchInterval: lookAgainMs });
  const live = useLiveLog(shop.id);
  useFreshLights(shop.id, live.lines[0]?.id);
  const facts: SnippetFacts = {
    postbacksUrl: `${location.origin}/api/partner-network/postbacks/${shop.tracking_key}`,
    key,
    clickId: links.data?.data[0]?.click_id ?? null,
  };
  return (
    <>
      {!mayChange && (
        <p className={styles.hint}>You may look at this and try reports. Keys, test links and switching are for owners and developers.</p>
      )}
      <div className={styles.beside}>
        <Lights lights={state.lights} mayChange={mayChange} />
        <LiveRequests store={shop.id} live={live} />
      </div>
      <div id="keys">
        <PostbackKeys store={shop.id} onMade={setKey} />
      </div>
      <div id="script">
        <ScriptTag store={shop.id} state={state} mayChange={mayChange} />
      </div>
      <SaveClick />
      <ReportOrder facts={facts} forgetKey={() => setKey(null)} />
      <div id="test">
        <TestLinks shop={shop} links={links} mayChange={mayChange} />
      </div>
      <div id="later">
        <LaterReports facts={facts} />
      </div>
      <Linter store={shop.id} />
      <GoLive items={state.go_live} isReady={state.is_ready} store={shop.id} />
      <Section title="State" actions={mayChange && <IntegrationSwitch shop={shop} />}>
        <Facts
          facts={[
            ['Integration', <IntegrationChip key="i" integration={shop.integration} />],
            ['Tracking', <TrackingChip key="t" isOn={shop.tracking_on} />],
            ['Tracking key', <Copyable key="k" value={shop.tracking_key} label="the tracking key" />],
          ]}
        />
      </Section>
    </>
  );
}

/** Each request that arrives may have lit a lamp, and used a key. */
function useFreshLights(store: string, newest: string | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (newest !== undefined) void refresh(client, integrationPath(store), `${storePath(store)}/postback-keys`, testLinksPath(store));
  }, [client, store, newest]);
}
