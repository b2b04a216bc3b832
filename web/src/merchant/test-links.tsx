import { Button } from '@mantine/core';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { CopyIcon } from '../parts/copy.tsx';
import { useAction } from '../parts/dialog.tsx';
import { newKey } from '../parts/new-key.ts';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { integrationPath, testLinksPath, type TestLink } from './integration-api.ts';
import styles from './integration.module.css';
import type { Store } from './stores-api.ts';

type TestLinksProps = { readonly shop: Store; readonly links: UseQueryResult<Page<TestLink>>; readonly mayChange: boolean };

/** The proof that all of it works together: a test order from click to postback. It earns nothing, and switches tracking on. */
export function TestLinks({ shop, links, mayChange }: TestLinksProps) {
  const client = useQueryClient();
  const make = useAction(async () => {
    await api.post(testLinksPath(shop.id), {}, newKey());
    await refresh(client, testLinksPath(shop.id));
  });
  const open = links.data?.data ?? [];
  return (
    <Section
      title="Test order"
      intro="Nothing but an answer of 200 test_verified switches tracking on. No test order earns anything or stands in a figure."
      actions={
        mayChange && (
          <Button variant="default" size="xs" loading={make.running} onClick={make.run}>
            Make a test link
          </Button>
        )
      }
    >
      {make.problem && <ProblemNote problem={make.problem} />}
      <ol className={styles.list}>
        <li>Make a test link, and open it in a browser that accepts the cookie: it leads to your shop with a click.</li>
        <li>Place an order there, and pay it as a test.</li>
        <li>
          Your server reports it as it reports every order, with <code>"test": true</code>.
        </li>
      </ol>
      {links.isPending && <Waiting lines={1} />}
      {links.isError && <ProblemNote problem={links.error} onRetry={() => void links.refetch()} />}
      {links.isSuccess && open.length === 0 && (
        <p className={styles.hint}>No test link is open. One works for 24 hours, any number of times.</p>
      )}
      {open.length > 0 && (
        <ul className={styles.lights} aria-label="Open test links">
          {open.map((link) => (
            <OpenLink key={link.id} store={shop.id} link={link} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** It leads over our own address, which notes that it was opened. */
function OpenLink({
  store,
  link: { url, open_url: openUrl, click_id: clickId, expires_at: end, opened_at: at },
}: {
  readonly store: string;
  readonly link: TestLink;
}) {
  const client = useQueryClient();
  return (
    <li className={styles.light}>
      <div className={styles.words}>
        <span className={styles.address}>{url}</span>
        <div className={styles.seen}>
          {at === null ? (
            <Chip word="Not opened" tone="calm" meaning="Nobody has come by this link yet." />
          ) : (
            <Chip word="Opened" tone="good" meaning="Somebody came by this link." />
          )}{' '}
          {at !== null && <Time at={at} />} works until <Time at={end} />
        </div>
      </div>
      <div className={styles.ways}>
        <CopyIcon value={clickId} label="the click" />
        <Button
          component="a"
          size="xs"
          href={new URL(openUrl).pathname}
          target="_blank"
          rel="noopener"
          onClick={() => setTimeout(() => void refresh(client, testLinksPath(store), integrationPath(store)), openedAfterMs)}
        >
          Open the link
        </Button>
      </div>
    </li>
  );
}

const openedAfterMs = 1_500;
