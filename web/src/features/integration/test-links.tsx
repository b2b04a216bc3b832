import { Button } from '@mantine/core';
import { useQueryClient, type UseQueryResult, useMutation } from '@tanstack/react-query';
import { api, type Page } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { TestLink, Store } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { integrationPath, testLinksPath } from './integration-api.ts';
import styles from './integration.module.css';

type TestLinksProps = { readonly currentStore: Store; readonly links: UseQueryResult<Page<TestLink>>; readonly mayChange: boolean };

/** The end-to-end test: a test order from click to postback. It earns nothing and turns tracking on. */
export function TestLinks({ currentStore, links, mayChange }: TestLinksProps) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      await api.post(testLinksPath(currentStore.id), {}, newIdempotencyKey());
      await refresh(client, testLinksPath(currentStore.id));
    },
  });
  const open = links.data?.data ?? [];
  return (
    <Section
      title="Test order"
      intro="Nothing but an answer of 200 test_verified switches tracking on. No test order earns anything or stands in a figure."
      actions={
        mayChange && (
          <Button variant="default" size="xs" loading={create.isPending} onClick={() => create.mutate()}>
            Make a test link
          </Button>
        )
      }
    >
      <ErrorAlert error={create.error} />
      <ol className={styles.list}>
        <li>Make a test link, and open it in a browser that accepts the cookie: it leads to your shop with a click.</li>
        <li>Place an order there, and pay it as a test.</li>
        <li>
          Your server reports it as it reports every order, with <code>"test": true</code>.
        </li>
      </ol>
      <QueryView query={links} lines={1} />
      {links.isSuccess && open.length === 0 && (
        <p className={styles.hint}>No test link is open. One works for 24 hours, any number of times.</p>
      )}
      {open.length > 0 && (
        <ul className={styles.checks} aria-label="Open test links">
          {open.map((link) => (
            <TestLinkRow key={link.id} store={currentStore.id} link={link} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The link goes through the service, which records that it was opened. */
function TestLinkRow({
  store,
  link: { url, open_url: openUrl, click_id: clickId, expires_at: end, opened_at: at },
}: {
  readonly store: string;
  readonly link: TestLink;
}) {
  const client = useQueryClient();
  return (
    <li className={styles.check}>
      <div className={styles.text}>
        <span className={styles.address}>{url}</span>
        <div className={styles.detail}>
          {at === null ? (
            <Chip label="Not opened" tone="neutral" meaning="Nobody has come by this link yet." />
          ) : (
            <Chip label="Opened" tone="good" meaning="Somebody came by this link." />
          )}{' '}
          {at !== null && <Time at={at} />} works until <Time at={end} />
        </div>
      </div>
      <div className={styles.links}>
        <CopyIcon value={clickId} label="the click" />
        <Button
          component="a"
          size="xs"
          href={new URL(openUrl).pathname}
          target="_blank"
          rel="noopener"
          onClick={() => setTimeout(() => void refresh(client, testLinksPath(store), integrationPath(store)), openRecordedMs)}
        >
          Open the link
        </Button>
      </div>
    </li>
  );
}

const openRecordedMs = 1_500;
