import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { CodeBlock } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { useNow } from '../../session/use-now.ts';
import styles from './integration.module.css';
import { curlSnippet } from './snippets/curl.ts';
import type { SnippetValues } from './snippets/snippet-values.ts';
import { languageNames, type LanguageName } from './snippets/language-names.ts';

const OrderInLanguage = lazy(async () => ({ default: (await import('./order-in-language.tsx')).OrderInLanguage }));

type ReportOrderProps = { readonly facts: SnippetValues; readonly forgetKey: () => void };

/** A paid order in six languages: complete programs that report one test order, with comments on the pitfalls of each language. */
export function ReportOrder({ facts, forgetKey }: ReportOrderProps) {
  const [name, setName] = useState<LanguageName>('curl');
  const now = useNow();
  return (
    <Section
      title="Report the paid order"
      intro="From your server, once the order is paid. These report one test order; leave “test” out for real ones."
      actions={
        facts.key !== null && (
          <Button variant="default" size="xs" onClick={forgetKey}>
            Take the key out again
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <SegmentedControl label="Language" options={languageNames} value={name} onChange={setName} />
        <p className={styles.hint}>{filledText(facts)}</p>
        {name === 'curl' ? (
          <CodeBlock value={curlSnippet(facts, now)} label="the paid order in curl" />
        ) : (
          <Suspense fallback={<LoadingSkeleton />}>
            <OrderInLanguage name={name} facts={facts} now={now} />
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
