import { Button } from '../../ui/button.tsx';
import { useState, lazy, Suspense } from 'react';
import { useNow } from '../../session/use-now.ts';
import { CodeBlock } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import styles from './integration.module.css';
import { curlSnippet } from './snippets/curl.ts';
import { languageNames, type LanguageName, type SnippetValues } from './snippets/snippet-values.ts';
import { laterReports } from './snippets/later-reports.ts';
import { clickVariants } from './snippets/save-click.ts';
import { t } from './messages.ts';

export function SaveClick() {
  const [name, setName] = useState(clickVariants[0]?.name ?? '');
  const variant = clickVariants.find((one) => one.name === name);
  return (
    <Section title={t.snippet_sections.save_the_click_with_the} intro={t.snippet_sections.when_the_shopper_places_the}>
      <div className={styles.stack}>
        <SegmentedControl
          label={t.snippet_sections.method}
          options={clickVariants.map((one) => one.name)}
          value={name}
          onChange={setName}
        />
        {variant && (
          <>
            <p className={styles.hint}>{variant.note}</p>
            <CodeBlock value={variant.code} label={t.snippet_sections.code_that_saves_the_click} />
          </>
        )}
      </div>
    </Section>
  );
}

const OrderInLanguage = lazy(async () => ({ default: (await import('./order-in-language.tsx')).OrderInLanguage }));

type ReportOrderProps = { readonly values: SnippetValues; readonly forgetKey: () => void };

/** A paid order in six languages: complete programs that report one test order, with comments on the pitfalls of each language. */
export function ReportOrder({ values, forgetKey }: ReportOrderProps) {
  const [name, setName] = useState<LanguageName>('curl');
  const now = useNow();
  return (
    <Section
      title={t.snippet_sections.report_the_paid_order}
      intro={t.snippet_sections.send_this_from_your_server}
      actions={
        values.key !== null && (
          <Button variant="default" size="xs" onClick={forgetKey}>
            {t.snippet_sections.remove_the_key}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <SegmentedControl label={t.snippet_sections.language} options={languageNames} value={name} onChange={setName} />
        <p className={styles.hint}>{filledText(values)}</p>
        {name === 'curl' ? (
          <CodeBlock value={curlSnippet(values, now)} label={t.snippet_sections.the_paid_order_in_curl} />
        ) : (
          <Suspense fallback={<LoadingSkeleton />}>
            <OrderInLanguage name={name} values={values} now={now} />
          </Suspense>
        )}
      </div>
    </Section>
  );
}

function filledText({ key, clickId }: SnippetValues): string {
  const filled = key === null ? t.snippet_sections.includes_your_tracking_key_add : t.snippet_sections.includes_your_tracking_key_and;
  const click = clickId === null ? t.snippet_sections.create_a_test_link_below : t.snippet_sections.includes_the_click_of_your;
  return `${filled} ${click}`;
}

export function LaterReports({ values }: { readonly values: SnippetValues }) {
  const [name, setName] = useState(laterReports[0]?.name ?? '');
  const now = useNow();
  const report = laterReports.find((one) => one.name === name);
  return (
    <Section title={t.snippet_sections.refunds_and_subscriptions} intro={t.snippet_sections.send_these_like_an_order}>
      <div className={styles.stack}>
        <SegmentedControl
          label={t.snippet_sections.postback}
          options={laterReports.map((one) => one.name)}
          value={name}
          onChange={setName}
        />
        {report && (
          <>
            <p className={styles.hint}>{report.note}</p>
            <CodeBlock value={report.snippet(values, now)} label={t.snippet_sections.the_postback({ name: report.name })} />
          </>
        )}
      </div>
    </Section>
  );
}
