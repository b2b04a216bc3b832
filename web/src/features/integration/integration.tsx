import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CopyableValue } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { usePermission } from '../access/use-permission.ts';
import { GoLiveChecklist } from './go-live-checklist.tsx';
import { integrationPath, integrationQuery, testLinksPath, testLinksQuery, type IntegrationState } from './integration-api.ts';
import { IntegrationSwitch } from './integration-switch.tsx';
import styles from './integration.module.css';
import { LaterReports } from './later-reports.tsx';
import { IntegrationChecks } from './integration-checks.tsx';
import { RequestLinter } from './request-linter.tsx';
import { LiveRequests } from './live-requests.tsx';
import { useLiveLog } from './live-log.ts';
import { PostbackKeysSection } from './postback-keys.tsx';
import { ReportOrder } from './report-order.tsx';
import { SaveClick } from './save-click.tsx';
import { ScriptTag } from './script-tag.tsx';
import type { SnippetValues } from './snippets/snippet-values.ts';
import { IntegrationStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { storePath, storeQuery, type Store } from '../stores/stores-api.ts';
import { TestLinks } from './test-links.tsx';

/** Events in other tabs, such as an opened test link, appear without a reload. */
const refreshMs = 5_000;

/** The setup page for developers: integration checks, incoming requests, and the steps with their snippets. */
export function Integration() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const currentStore = useQuery(storeQuery(store));
  const state = useQuery({ ...integrationQuery(store), refetchInterval: refreshMs });
  const problem = currentStore.error ?? state.error;
  const isLoaded = currentStore.data !== undefined && state.data !== undefined;
  return (
    <Page title="Integration" intro="How the shop and Tributary talk: a script notices the click, your server reports the paid order.">
      {!isLoaded && problem === null && <LoadingSkeleton lines={8} />}
      {!isLoaded && problem !== null && (
        <ErrorAlert error={problem} onRetry={() => void Promise.all([currentStore.refetch(), state.refetch()])} />
      )}
      {isLoaded && <IntegrationSteps currentStore={currentStore.data} state={state.data} />}
    </Page>
  );
}

type StepsProps = { readonly currentStore: Store; readonly state: IntegrationState };

function IntegrationSteps({ currentStore, state }: StepsProps) {
  const mayChange = usePermission(currentStore.id)('integration:write');
  const [key, setKey] = useState<string | null>(null);
  const links = useQuery({ ...testLinksQuery(currentStore.id), refetchInterval: refreshMs });
  const live = useLiveLog(currentStore.id);
  useRefreshAfterRequest(currentStore.id, live.lines[0]?.id);
  const facts: SnippetValues = {
    postbacksUrl: `${location.origin}/api/partner-network/postbacks/${currentStore.tracking_key}`,
    key,
    clickId: links.data?.data[0]?.click_id ?? null,
  };
  return (
    <>
      {!mayChange && (
        <p className={styles.hint}>You may look at this and try reports. Keys, test links and switching are for owners and developers.</p>
      )}
      <div className={styles.beside}>
        <IntegrationChecks lights={state.lights} mayChange={mayChange} />
        <LiveRequests store={currentStore.id} live={live} />
      </div>
      <div id="keys">
        <PostbackKeysSection store={currentStore.id} onCreated={setKey} />
      </div>
      <div id="script">
        <ScriptTag store={currentStore.id} state={state} mayChange={mayChange} />
      </div>
      <SaveClick />
      <ReportOrder facts={facts} forgetKey={() => setKey(null)} />
      <div id="test">
        <TestLinks currentStore={currentStore} links={links} mayChange={mayChange} />
      </div>
      <div id="later">
        <LaterReports facts={facts} />
      </div>
      <RequestLinter store={currentStore.id} />
      <GoLiveChecklist items={state.go_live} isReady={state.is_ready} store={currentStore.id} />
      <Section title="State" actions={mayChange && <IntegrationSwitch currentStore={currentStore} />}>
        <DescriptionList
          facts={[
            ['Integration', <IntegrationStatusChip key="i" integration={currentStore.integration} />],
            ['Tracking', <TrackingStatusChip key="t" isOn={currentStore.tracking_on} />],
            ['Tracking key', <CopyableValue key="k" value={currentStore.tracking_key} label="the tracking key" />],
          ]}
        />
      </Section>
    </>
  );
}

/** Each incoming request may have passed a check or used a key. */
function useRefreshAfterRequest(store: string, newest: string | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (newest !== undefined) void refresh(client, integrationPath(store), `${storePath(store)}/postback-keys`, testLinksPath(store));
  }, [client, store, newest]);
}
