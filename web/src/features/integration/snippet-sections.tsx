import { Button } from '@mantine/core';
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

export function SaveClick() {
  const [name, setName] = useState(clickVariants[0]?.name ?? '');
  const variant = clickVariants.find((one) => one.name === name);
  return (
    <Section
      title="Save the click with the order"
      intro="When the order is placed, store the click beside it. It may be paid days later, when the shopper’s browser is long gone."
    >
      <div className={styles.stack}>
        <SegmentedControl label="Way of the click" options={clickVariants.map((one) => one.name)} value={name} onChange={setName} />
        {variant && (
          <>
            <p className={styles.hint}>{variant.note}</p>
            <CodeBlock value={variant.code} label="how the click is saved" />
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
      title="Report the paid order"
      intro="From your server, once the order is paid. These report one test order; leave “test” out for real ones."
      actions={
        values.key !== null && (
          <Button variant="default" size="xs" onClick={forgetKey}>
            Take the key out again
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <SegmentedControl label="Language" options={languageNames} value={name} onChange={setName} />
        <p className={styles.hint}>{filledText(values)}</p>
        {name === 'curl' ? (
          <CodeBlock value={curlSnippet(values, now)} label="the paid order in curl" />
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
  const filled =
    key === null
      ? 'Filled with your tracking key. The postback key is yours to fill in: it was shown only once.'
      : 'Filled with your tracking key and, until you leave this page, with the postback key that you just made.';
  const click = clickId === null ? 'Make a test link below, and its click stands here too.' : 'The click is that of your newest test link.';
  return `${filled} ${click}`;
}

export function LaterReports({ values }: { readonly values: SnippetValues }) {
  const [name, setName] = useState(laterReports[0]?.name ?? '');
  const now = useNow();
  const report = laterReports.find((one) => one.name === name);
  return (
    <Section title="Refunds and subscriptions" intro="The same way as an order: another address, another body, the same key.">
      <div className={styles.stack}>
        <SegmentedControl label="Report" options={laterReports.map((one) => one.name)} value={name} onChange={setName} />
        {report && (
          <>
            <p className={styles.hint}>{report.note}</p>
            <CodeBlock value={report.snippet(values, now)} label={`the report: ${report.name}`} />
          </>
        )}
      </div>
    </Section>
  );
}
