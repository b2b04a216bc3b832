import { useState } from 'react';
import { Code } from '../parts/code.tsx';
import { Section } from '../parts/page.tsx';
import { Pick } from '../parts/pick.tsx';
import { useNow } from '../shell/now.ts';
import styles from './integration.module.css';
import type { SnippetFacts } from './snippets/facts.ts';
import { laterReports } from './snippets/later-reports.ts';

export function LaterReports({ facts }: { readonly facts: SnippetFacts }) {
  const [name, setName] = useState(laterReports[0]?.name ?? '');
  const now = useNow();
  const report = laterReports.find((one) => one.name === name);
  return (
    <Section title="Refunds and subscriptions" intro="The same way as an order: another address, another body, the same key.">
      <div className={styles.stack}>
        <Pick label="Report" names={laterReports.map((one) => one.name)} picked={name} pick={setName} />
        {report && (
          <>
            <p className={styles.hint}>{report.note}</p>
            <Code value={report.snippet(facts, now)} label={`the report: ${report.name}`} />
          </>
        )}
      </div>
    </Section>
  );
}
