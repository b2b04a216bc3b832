import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { LintResult, LintResponse, LintError } from '../../api/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './integration.module.css';
import { operationOptions, operationLabels } from '../tracking/tracking-api.ts';

const textLengthMax = 65_536;

type LintOperation = NonNullable<RequestBody<'/stores/{store}/lint', 'post'>['operation']>;

/** Shows how the service would answer a pasted request, without sending it. */
export function RequestLinter({ store }: { readonly store: string }) {
  const [result, setResult] = useState<LintResult | null>(null);
  return (
    <Section
      title="Try a report"
      intro="Paste a body, or a whole curl command. It is judged by the real decision with your own orders, clicks and terms, and nothing is kept."
    >
      <Form
        submit="Judge it"
        send={(values) => {
          const operation = values.option<LintOperation | ''>('operation');
          return api.post(apiPath('/stores/{store}/lint', { store }), { text: values.raw('text'), ...(operation !== '' && { operation }) });
        }}
        done={setResult}
      >
        <SelectField
          name="operation"
          label="What it reports"
          optional
          data={[{ value: '', label: 'what its fields show' }, ...operationOptions.map(([value, label]) => ({ value, label }))]}
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
      {result && <LintReport lint={result} />}
    </Section>
  );
}

function LintReport({ lint: { operation, faults: errors, warnings, answer, corrected } }: { readonly lint: LintResult }) {
  return (
    <div className={styles.lintResult} role="status">
      <p>
        Taken for: <strong>{operation === null ? 'nothing that we know' : (operationLabels[operation] ?? operation)}</strong>
      </p>
      {answer && <ExpectedResponse answer={answer} />}
      <LintErrors errors={errors} />
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
          <CodeBlock value={corrected.body} label="the corrected body" />
          {corrected.answer && <ExpectedResponse answer={corrected.answer} />}
        </>
      )}
    </div>
  );
}

function LintErrors({ errors }: { readonly errors: readonly LintError[] }) {
  if (errors.length === 0) return null;
  return (
    <>
      <h3>Would be refused</h3>
      <ul>
        {errors.map(({ reason, field, message }) => (
          <li key={reason + (field ?? '') + message}>
            {field !== null && !message.startsWith(field.slice(1)) && <code>{field}</code>} {message}
          </li>
        ))}
      </ul>
    </>
  );
}

function ExpectedResponse({ answer: { status, reason, explanation } }: { readonly answer: LintResponse }) {
  const tone = status === 200 ? 'good' : 'bad';
  return (
    <p>
      Just now it would be answered with <Chip label={`${status} ${reason}`} tone={tone} meaning={explanation} /> {explanation}
    </p>
  );
}
