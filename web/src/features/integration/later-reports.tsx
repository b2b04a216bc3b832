import { useState } from 'react';
import { CodeBlock } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useNow } from '../../session/use-now.ts';
import styles from './integration.module.css';
import type { SnippetValues } from './snippets/snippet-values.ts';
import { laterReports } from './snippets/later-reports.ts';

export function LaterReports({ facts }: { readonly facts: SnippetValues }) {
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
            <CodeBlock value={report.snippet(facts, now)} label={`the report: ${report.name}`} />
          </>
        )}
      </div>
    </Section>
  );
}
