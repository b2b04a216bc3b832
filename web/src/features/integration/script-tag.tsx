import { Button } from '@mantine/core';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { IntegrationState, PageCheck } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { CodeBlock } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { refresh } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { integrationPath } from './integration-api.ts';
import styles from './integration.module.css';
import { scriptVariants } from './snippets/script-tags.ts';

type ScriptTagProps = { readonly store: string; readonly state: IntegrationState; readonly mayChange: boolean };

/** The script tag variants, and what the service found on the landing page. */
export function ScriptTag({ store, state, mayChange }: ScriptTagProps) {
  const [name, setName] = useState(scriptVariants[0]?.name ?? '');
  const client = useQueryClient();
  const checkPage = useMutation({
    mutationFn: async () => {
      await api.post(apiPath('/stores/{store}/integration/check-page', { store }), {});
      await refresh(client, integrationPath(store));
    },
  });
  const variant = scriptVariants.find((one) => one.name === name);
  const values = {
    origin: location.origin,
    immutablePath: new URL(state.script.immutable_url).pathname,
    integrity: state.script.integrity,
  };
  return (
    <Section
      title="Script tag"
      intro="It notices the click with which a shopper arrives, and keeps it in a cookie of your own site. It never calls home: to see it, our server fetches the page."
      actions={
        mayChange && (
          <Button variant="default" size="xs" loading={checkPage.isPending} onClick={() => checkPage.mutate()}>
            Look at the landing page
          </Button>
        )
      }
    >
      <ErrorAlert error={checkPage.error} />
      <div className={styles.stack}>
        <SegmentedControl label="Kind of page" options={scriptVariants.map((one) => one.name)} value={name} onChange={setName} />
        {variant && (
          <>
            <p className={styles.hint}>{variant.note}</p>
            <CodeBlock value={variant.code(values)} label="the script tag" />
          </>
        )}
        {state.page_check && <PageCheckResult check={state.page_check} />}
      </div>
    </Section>
  );
}

function PageCheckResult({
  check: { at, page_url: page, is_working: isWorking, tag, findings, content_security_policy: policy },
}: {
  readonly check: PageCheck;
}) {
  return (
    <div className={styles.pageCheck} data-good={isWorking || undefined} role="status">
      <p>
        <strong>
          {isWorking ? 'A click that comes to this page is kept.' : 'A click that comes to this page is not kept, or nobody can tell.'}
        </strong>{' '}
        <span className={styles.address}>{page}</span>, looked at <Time at={at} />
      </p>
      {tag && (
        <p>
          The tag stands in the {tag.is_in_head ? 'head' : 'body'}, loads {loadTexts[tag.loads] ?? tag.loads}, with consent{' '}
          {tag.consent_mode === 'granted' ? 'taken as given' : 'to be granted'}, and keeps a click for {tag.max_age_days} days.
        </p>
      )}
      {findings.length > 0 && (
        <ul>
          {findings.map(({ code, level, message }) => (
            <li key={code}>
              {level === 'error' ? 'Wrong: ' : 'Note: '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {policy !== null && <p className={styles.address}>Its Content-Security-Policy: {policy}</p>}
    </div>
  );
}

const loadTexts: Readonly<Record<string, string>> = { defer: 'deferred', async: 'asynchronously', 'at once': 'at once' };
