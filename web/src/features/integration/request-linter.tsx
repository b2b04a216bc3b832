import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { LintResult, LintResponse, LintError } from '../../../../sdk/src/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/code.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import styles from './integration.module.css';
import { operationOptions, operationLabels } from '../tracking/operation-labels.ts';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const textLengthMax = 65_536;

type LintOperation = NonNullable<RequestBody<'/stores/{store}/lint', 'post'>['operation']>;

/** Shows how the service would answer a pasted request, without sending it. */
export function RequestLinter({ store }: { readonly store: string }) {
  const [result, setResult] = useState<LintResult | null>(null);
  return (
    <Section title={t.request_linter.validate_a_postback} intro={t.request_linter.paste_a_request_body_or}>
      <Form
        submit={t.request_linter.validate}
        send={(values) => {
          const operation = values.option<LintOperation | ''>('operation');
          return api.post(apiPath('/stores/{store}/lint', { store }), { text: values.raw('text'), ...(operation !== '' && { operation }) });
        }}
        done={setResult}
      >
        <SelectField
          name="operation"
          label={t.request_linter.postback_type}
          optional
          data={[
            { value: '', label: t.request_linter.detect_from_the_fields },
            ...operationOptions.map(([value, label]) => ({ value, label })),
          ]}
        />
        <TextAreaField
          name="text"
          label={t.request_linter.body_or_curl_command}
          maxLength={textLengthMax}
          spellCheck={false}
          placeholder={'{ "order_id": "1001", "click_id": "rmc_…", … }'}
          rows={4}
          isCode
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
        {t.request_linter.detected_as}{' '}
        <strong>{operation === null ? t.request_linter.unknown : (operationLabels[operation] ?? operation)}</strong>
      </p>
      {answer && <ExpectedResponse answer={answer} />}
      <LintErrors errors={errors} />
      {warnings.length > 0 && (
        <>
          <h3>{t.request_linter.accepted_with_warnings}</h3>
          <ul>
            {warnings.map(({ code, field, message }) => (
              <li key={code + (field ?? '')}>{message}</li>
            ))}
          </ul>
        </>
      )}
      {corrected && (
        <>
          <h3>{t.request_linter.suggested_correction}</h3>
          <ul>
            {corrected.changes.map(({ field, message }) => (
              <li key={field + message}>{message}</li>
            ))}
          </ul>
          <CodeBlock value={corrected.body} label={t.request_linter.corrected_body} />
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
      <h3>{t.request_linter.would_fail}</h3>
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

function ExpectedResponse({ answer: { status, reason, ...answer } }: { readonly answer: LintResponse }) {
  const explanation = localizeTimes(answer.explanation);
  const tone = status === 200 ? 'good' : 'bad';
  return (
    <p>
      {rich(t.request_linter.it_would_return({ explanation }), {
        chip: <Chip label={`${status} ${reason}`} tone={tone} meaning={explanation} />,
      })}
    </p>
  );
}
