import { useInfiniteQuery, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Page as ListPage } from '../../api/client.ts';
import type { Store, IntegrationState, IntegrationCheck, TestLink } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { CopyableValue } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh, useHasRows } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { IntegrationStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { storeQuery } from '../stores/stores-api.ts';
import { ResponseChip } from '../tracking/log-table.tsx';
import { operationLabels } from '../tracking/operation-labels.ts';
import { integrationPath, integrationQuery, testLinksPath, testLinksQuery, type IntegrationCheckName } from './integration-api.ts';
import { IntegrationSwitch } from './integration-switch.tsx';
import styles from './integration.module.css';
import { LaterReports, ReportOrder, SaveClick } from './snippet-sections.tsx';
import { useLiveLog, type LiveLog } from './live-log.ts';
import { PostbackKeysSection } from './postback-keys.tsx';
import { postbackKeysQuery } from './postback-keys-api.ts';
import { Stepper, type IntegrationStep } from './stepper.tsx';
import { RequestLinter } from './request-linter.tsx';
import { ScriptTag } from './script-tag.tsx';
import type { SnippetValues } from './snippets/snippet-values.ts';
import { TestLinks } from './test-links.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** Events in other tabs, such as an opened test link, appear without a reload. */
const refreshMs = 5_000;

/** The setup page for developers: integration checks, incoming requests, and the steps with their snippets. */
export function Integration() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const currentStore = useQuery(storeQuery(store));
  const state = useQuery({ ...integrationQuery(store), refetchInterval: refreshMs });
  // The first open step depends on the keys.
  const keys = useInfiniteQuery(postbackKeysQuery(store));
  const problem = currentStore.error ?? state.error ?? keys.error;
  const isLoaded = currentStore.data !== undefined && state.data !== undefined && keys.data !== undefined;
  return (
    <Page title={t.integration.integration} intro={t.integration.a_script_on_your_store}>
      {!isLoaded && problem === null && <LoadingSkeleton lines={8} />}
      {!isLoaded && problem !== null && (
        <ErrorAlert error={problem} onRetry={() => void Promise.all([currentStore.refetch(), state.refetch(), keys.refetch()])} />
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
  const values: SnippetValues = {
    postbacksUrl: `${location.origin}/api/partner-network/postbacks/${currentStore.tracking_key}`,
    key,
    clickId: links.data?.data[0]?.click_id ?? null,
  };
  const steps = useSteps({ currentStore, state, links, mayChange, values, setKey });
  const [first] = useState(() => steps.find(({ id }) => `#${id}` === location.hash)?.id);
  return (
    <>
      {!mayChange && <p className={styles.hint}>{t.integration.you_can_view_this_page}</p>}
      <div className={styles.columns}>
        <div>
          <Stepper steps={steps} first={first} />
          <StripeLink store={currentStore.id} />
          <ShopifyLink store={currentStore.id} />
          <RequestLinter store={currentStore.id} />
          <IntegrationStatus currentStore={currentStore} mayChange={mayChange} />
        </div>
        <div className={styles.beside}>
          <Progress checks={state.lights} />
          <LiveRequests store={currentStore.id} live={live} />
        </div>
      </div>
    </>
  );
}

type StepsContext = StepsProps & {
  readonly links: UseQueryResult<ListPage<TestLink>>;
  readonly mayChange: boolean;
  readonly values: SnippetValues;
  readonly setKey: (key: string | null) => void;
};

/** The steps in the order in which a developer takes them, each with the checks that prove it. */
function useSteps({ currentStore, state, links, mayChange, values, setKey }: StepsContext): readonly IntegrationStep[] {
  const { id: store } = currentStore;
  const hasKey = useHasRows(postbackKeysQuery(store));
  const proofOf = (...names: readonly IntegrationCheckName[]) =>
    state.lights.filter(({ light }) => names.includes(light)).map((check) => ({ ...check, title: checkTexts[check.light].title }));
  const step = (id: string, title: string, content: IntegrationStep['content'], proof: IntegrationStep['proof']): IntegrationStep => ({
    id,
    title,
    content,
    proof,
    isDone: proof.every(({ is_on: isOn }) => isOn),
  });
  const postbackKeys: IntegrationStep['content'] = (openNext) => (
    <PostbackKeysSection store={store} onCreated={setKey} onStored={openNext} />
  );
  const keys = step('keys', t.steps.create_a_postback_key, postbackKeys, proofOf('key_used'));
  const capture = (
    <>
      <ScriptTag store={store} state={state} mayChange={mayChange} />
      <SaveClick />
    </>
  );
  const testOrder = (
    <>
      <TestLinks currentStore={currentStore} links={links} mayChange={mayChange} />
      <ReportOrder values={values} forgetKey={() => setKey(null)} />
    </>
  );
  const goLive = <GoLiveChecklist items={state.go_live} isReady={state.is_ready} store={store} />;
  return [
    // A key is used only when the test order is reported.
    { ...keys, isDone: keys.isDone || hasKey },
    step('script', t.steps.capture_the_click, capture, proofOf('tag_found')),
    step('test', t.steps.send_a_test_order, testOrder, proofOf('link_opened', 'test_order', 'tracking_on')),
    step('later', t.steps.report_refunds_and_subscriptions, <LaterReports values={values} />, proofOf('refund_tested')),
    { ...step('live', t.steps.go_live, goLive, []), isDone: state.is_ready },
  ];
}

/** The page that replaces the steps for stores without a server. */
const StripeLink = ({ store }: { readonly store: string }) => (
  <Section
    title={t.stripe_link.stripe}
    actions={
      <ButtonLink to="/stores/$store/integration/stripe" params={{ store }} variant="default" size="xs">
        {t.stripe_link.open_stripe}
      </ButtonLink>
    }
  >
    <p className={styles.hint}>{t.stripe_link.stripe_intro}</p>
  </Section>
);

const ShopifyLink = ({ store }: { readonly store: string }) => (
  <Section
    title={t.shopify_link.shopify}
    actions={
      <ButtonLink to="/stores/$store/integration/shopify" params={{ store }} variant="default" size="xs">
        {t.shopify_link.open_shopify}
      </ButtonLink>
    }
  >
    <p className={styles.hint}>{t.shopify_link.shopify_intro}</p>
  </Section>
);

const IntegrationStatus = ({ currentStore, mayChange }: { readonly currentStore: Store; readonly mayChange: boolean }) => (
  <Section title={t.integration.state} actions={mayChange && <IntegrationSwitch currentStore={currentStore} />}>
    <DescriptionList
      items={[
        [t.integration.integration, <IntegrationStatusChip key="i" integration={currentStore.integration} />],
        [t.integration.tracking, <TrackingStatusChip key="t" isOn={currentStore.tracking_on} />],
        [t.integration.tracking_key, <CopyableValue key="k" value={currentStore.tracking_key} label={t.integration.tracking_key_2} />],
      ]}
    />
  </Section>
);

/** Each incoming request may have passed a check or used a key. */
function useRefreshAfterRequest(store: string, newest: string | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (newest !== undefined)
      void refresh(client, integrationPath(store), apiPath('/stores/{store}/postback-keys', { store }), testLinksPath(store));
  }, [client, store, newest]);
}

const checkTexts: Readonly<Record<IntegrationCheckName, { readonly title: string }>> = {
  key_used: { title: t.integration.key_used },
  tag_found: { title: t.integration.script_tag_on_the_landing },
  link_opened: { title: t.integration.test_link_opened },
  test_order: { title: t.integration.test_order_posted },
  tracking_on: { title: t.integration.tracking_on },
  refund_tested: { title: t.integration.refund_tested },
};

function Progress({ checks }: { readonly checks: readonly IntegrationCheck[] }) {
  const passed = checks.filter(({ is_on: isOn }) => isOn).length;
  return (
    <Section title={t.steps.progress}>
      <p className={styles.progressText}>{t.steps.of_integration_checks_passed({ passed, count: checks.length })}</p>
      <progress className={styles.progress} aria-label={t.steps.progress} value={passed} max={checks.length} />
    </Section>
  );
}

type GoLiveChecklistProps = { readonly store: string; readonly items: IntegrationState['go_live']; readonly isReady: boolean };

/** The checklist before real orders; no item is checked by hand. */
function GoLiveChecklist({ store, items, isReady }: GoLiveChecklistProps) {
  const done = items.filter(({ is_done: isDone }) => isDone).length;
  return (
    <Section
      title={t.integration.go_live_checklist}
      intro={isReady ? t.integration.all_set_real_orders_now : t.integration.of_complete_the_list_updates({ done, items: items.length })}
    >
      <ul className={styles.checks}>
        {items.map(({ item, is_done: isDone, text }) => (
          <li key={item} className={styles.check}>
            <span className={styles.tick} data-done={isDone || undefined} aria-hidden="true">
              {isDone && <Icon name="check" size={14} />}
            </span>
            <span className="visually-hidden">{isDone ? t.integration.done : t.integration.to_do}</span>
            <div className={styles.text}>{text}</div>
            {!isDone && ['program', 'link'].includes(item) && (
              <TextLink to="/stores/$store/programs" params={{ store }}>
                {t.integration.programs}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const shownMax = 6;

/** Requests as they arrive, so that the answer is visible while the developer tests. */
function LiveRequests({ store, live }: { readonly store: string; readonly live: LiveLog }) {
  return (
    <Section title={t.integration.live_requests}>
      <p className={styles.listening} role="status" data-connected={live.isConnected || undefined}>
        {live.isConnected ? t.integration.listening_for_requests_send : t.integration.connecting}
      </p>
      <ul className={styles.requests} aria-live="polite">
        {live.lines.slice(0, shownMax).map((line) => (
          <li key={line.id} className={styles.request}>
            <div className={styles.text}>
              {operationLabels[line.operation] ?? line.operation}{' '}
              <TextLink to="/stores/$store/tracking-log" params={{ store }} search={{ open: line.id }}>
                {line.subject ?? t.integration.no_id}
              </TextLink>
              <div className={styles.detail}>
                <Time at={line.at} />
              </div>
            </div>
            <ResponseChip line={line} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        {rich(t.integration.earlier_requests_are_in_the, {
          link: <TextLink to="/stores/$store/tracking-log" params={{ store }} />,
        })}
      </p>
    </Section>
  );
}
