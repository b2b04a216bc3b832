import { AnchorButton, Button } from '../../ui/button.tsx';
import { useQueryClient, type UseQueryResult, useMutation } from '@tanstack/react-query';
import { api, type Page } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { TestLink, Store } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { integrationPath, testLinksPath } from './integration-api.ts';
import styles from './integration.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
      title={t.test_links.test_order}
      intro={t.test_links.tracking_turns_on_with}
      actions={
        mayChange && (
          <Button variant="default" size="xs" loading={create.isPending} onClick={() => create.mutate()}>
            {t.test_links.create_a_test_link}
          </Button>
        )
      }
    >
      <ErrorAlert error={create.error} />
      <ol className={styles.list}>
        <li>{t.test_links.create_a_test_link_and}</li>
        <li>{t.test_links.place_an_order_there_and}</li>
        <li>{rich(t.test_links.your_server_reports_it_like, { code: <code /> })}</li>
      </ol>
      <QueryView query={links} lines={1} />
      {links.isSuccess && open.length === 0 && <p className={styles.hint}>{t.test_links.no_open_test_links}</p>}
      {open.length > 0 && (
        <ul className={styles.checks} aria-label={t.test_links.open_test_links}>
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
            <Chip label={t.test_links.not_opened} tone="neutral" meaning={t.test_links.this_link_has_not_been} />
          ) : (
            <Chip label={t.test_links.opened} tone="good" meaning={t.test_links.this_link_was_opened} />
          )}{' '}
          {at !== null && <Time at={at} />} {t.test_links.expires} <Time at={end} />
        </div>
      </div>
      <div className={styles.links}>
        <CopyIcon value={clickId} label={t.test_links.click} />
        <AnchorButton
          size="xs"
          href={new URL(openUrl).pathname}
          target="_blank"
          rel="noopener"
          onClick={() => setTimeout(() => void refresh(client, testLinksPath(store), integrationPath(store)), openRecordedMs)}
        >
          {t.test_links.open_the_link}
        </AnchorButton>
      </div>
    </li>
  );
}

const openRecordedMs = 1_500;
