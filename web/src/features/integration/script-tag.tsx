import { Button } from '../../ui/button.tsx';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { IntegrationState, PageCheck } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';

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
      title={t.script_tag.script_tag}
      intro={t.script_tag.it_saves_the_click_that}
      actions={
        mayChange && (
          <Button variant="default" size="xs" loading={checkPage.isPending} onClick={() => checkPage.mutate()}>
            {t.script_tag.check_the_landing_page}
          </Button>
        )
      }
    >
      <ErrorAlert error={checkPage.error} />
      <div className={styles.stack}>
        <SegmentedControl label={t.script_tag.page_type} options={scriptVariants.map((one) => one.name)} value={name} onChange={setName} />
        {variant && (
          <>
            <p className={styles.hint}>{variant.note}</p>
            <CodeBlock value={variant.code(values)} label={t.script_tag.script_tag_2} />
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
        <strong>{isWorking ? t.script_tag.a_click_on_this_page : t.script_tag.a_click_on_this_page_2}</strong>{' '}
        <span className={styles.address}>{page}</span>
        {t.script_tag.checked} <Time at={at} />
      </p>
      {tag && (
        <p>
          {t.script_tag.tag({
            place: tag.is_in_head ? 'head' : 'other',
            loads: loadTexts[tag.loads] ?? tag.loads,
            consent: tag.consent_mode === 'granted' ? 'granted' : 'other',
            days: tag.max_age_days,
          })}
        </p>
      )}
      {findings.length > 0 && (
        <ul>
          {findings.map(({ code, level, message }) => (
            <li key={code}>
              {level === 'error' ? t.script_tag.error : t.script_tag.note}
              {message}
            </li>
          ))}
        </ul>
      )}
      {policy !== null && <p className={styles.address}>{t.script_tag.its_content_security_policy({ policy })}</p>}
    </div>
  );
}

const loadTexts: Readonly<Record<string, string>> = {
  defer: t.script_tag.deferred,
  async: t.script_tag.asynchronously,
  'at once': t.script_tag.immediately,
};
