import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError } from '../../api/client.ts';
import type { Terms } from '../../../../sdk/src/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { ComparedChanges } from './version-changes.tsx';
import { t } from './messages.ts';

/** An exported file is a body of this operation. */
type TermsFile = RequestBody<'/stores/{store}/programs/{program}/terms', 'post'>;

const fileBytesMax = 1_000_000;

type ImportTermsProps = { readonly store: string; readonly program: string; readonly done: () => Promise<unknown> };

/** Creates a version from an exported file, after showing what it would change. */
export function ImportTerms({ store, program, done }: ImportTermsProps) {
  const [file, setFile] = useState<TermsFile | null>(null);
  const preview = useMutation({
    mutationFn: (terms: TermsFile) => api.post(apiPath('/stores/{store}/programs/{program}/terms-preview', { store, program }), terms),
  });
  const choose = async (chosen: File | undefined) => {
    preview.reset();
    setFile(null);
    const terms = chosen === undefined || chosen.size > fileBytesMax ? null : parseFile(await chosen.text());
    if (terms === null) return;
    setFile(terms);
    preview.mutate(terms);
  };
  const send = (_values: unknown, key: string): Promise<Terms> => {
    if (file === null) throw fieldError('file', t.import_terms.must_be_an_exported_file);
    return api.post(apiPath('/stores/{store}/programs/{program}/terms', { store, program }), file, key);
  };
  return (
    <Section title={t.import_terms.import_from_a_file} intro={t.import_terms.an_exported_file_of}>
      <Form send={send} done={done} submit={t.import_terms.create_version_from_file}>
        <TextField
          type="file"
          name="file"
          accept=".json,application/json"
          label={t.import_terms.json_file}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
        {preview.isError && <ErrorAlert error={preview.error} next={<FieldErrors error={preview.error} />} />}
        {preview.isSuccess && <ComparedChanges store={store} program={program} changes={preview.data} />}
      </Form>
    </Section>
  );
}

/** A file has no form fields: the errors of its fields are listed. */
function FieldErrors({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiError) || error.reason !== 'unprocessable' || error.errors.length === 0) return null;
  return (
    <ul>
      {error.errors.map(({ field, message }) => (
        <li key={`${field} ${message}`}>
          <code>{field}</code>: {message}
        </li>
      ))}
    </ul>
  );
}

/** The service checks the content; the page checks only that it is an object. */
function parseFile(text: string): TermsFile | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isFile(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const isFile = (parsed: unknown): parsed is TermsFile => typeof parsed === 'object' && parsed !== null && 'format' in parsed;
