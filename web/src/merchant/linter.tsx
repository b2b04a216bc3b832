import { useState } from 'react';
import { api } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { Code } from '../parts/code.tsx';
import { SelectField, TextAreaField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Section } from '../parts/page.tsx';
import type { Lint, LintAnswer, LintFault } from './integration-api.ts';
import styles from './integration.module.css';
import { storePath } from './stores-api.ts';
import { operationChoices, operationWords } from './tracking-api.ts';

const textLengthMax = 65_536;

/** Paste what your server sends, and see what would be answered, without sending it. */
export function Linter({ store }: { readonly store: string }) {
  const [lint, setLint] = useState<Lint | null>(null);
  return (
    <Section
      title="Try a report"
      intro="Paste a body, or a whole curl command. It is judged by the real decision with your own orders, clicks and terms, and nothing is kept."
    >
      <Form
        submit="Judge it"
        send={(values) => {
          const operation = values.text('operation');
          return api.post<Lint>(`${storePath(store)}/lint`, { text: values.exact('text'), ...(operation !== '' && { operation }) });
        }}
        done={setLint}
      >
        <SelectField
          name="operation"
          label="What it reports"
          optional
          data={[{ value: '', label: 'what its fields show' }, ...operationChoices.map(([value, label]) => ({ value, label }))]}
        />
        <TextAreaField
          name="text"
          label="Body or curl command"
          maxLength={textLengthMax}
          spellCheck={false}
          placeholder={'{ "order_id": "1001", "click_id": "rmc_…", … }'}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, height: 'auto', minHeight: 110 } }}
        />
      </Form>
      {lint && <Judged lint={lint} />}
    </Section>
  );
}

function Judged({ lint: { operation, faults, warnings, answer, corrected } }: { readonly lint: Lint }) {
  return (
    <div className={styles.judged} role="status">
      <p>
        Taken for: <strong>{operation === null ? 'nothing that we know' : (operationWords[operation] ?? operation)}</strong>
      </p>
      {answer && <Answer answer={answer} />}
      <Faults faults={faults} />
      {warnings.length > 0 && (
        <>
          <h3>Accepted, but perhaps not meant</h3>
          <ul>
            {warnings.map(({ code, field, message }) => (
              <li key={code + (field ?? '')}>{message}</li>
            ))}
          </ul>
        </>
      )}
      {corrected && (
        <>
          <h3>As it was probably meant</h3>
          <ul>
            {corrected.changes.map(({ field, message }) => (
              <li key={field + message}>{message}</li>
            ))}
          </ul>
          <Code value={corrected.body} label="the corrected body" />
          {corrected.answer && <Answer answer={corrected.answer} />}
        </>
      )}
    </div>
  );
}

function Faults({ faults }: { readonly faults: readonly LintFault[] }) {
  if (faults.length === 0) return null;
  return (
    <>
      <h3>Would be refused</h3>
      <ul>
        {faults.map(({ reason, field, message }) => (
          <li key={reason + (field ?? '') + message}>
            {field !== null && !message.startsWith(field.slice(1)) && <code>{field}</code>} {message}
          </li>
        ))}
      </ul>
    </>
  );
}

function Answer({ answer: { status, reason, explanation } }: { readonly answer: LintAnswer }) {
  const tone = status === 200 ? 'good' : 'bad';
  return (
    <p>
      Just now it would be answered with <Chip word={`${status} ${reason}`} tone={tone} meaning={explanation} /> {explanation}
    </p>
  );
}
