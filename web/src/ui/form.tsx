import { Button } from '@mantine/core';
import { createContext, use, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError, type FieldError } from '../api/client.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { useReadOnly } from './read-only.ts';
import { ErrorAlert } from './error-alert.tsx';
import styles from './form.module.css';

type FormProps<Reply> = {
  /** The key stays the same while the same content is sent again, so that a lost response does not create a second object. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<Reply>;
  readonly done?: (reply: Reply) => unknown;
  readonly submit: string;
  readonly wide?: boolean;
  /** Clears the fields after success. */
  readonly clears?: boolean;
  /** Shown next to the submit button: cancel, a link. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
};

/** The typed values. `text` is trimmed; `raw` is not, for passwords. */
export type Values = {
  readonly text: (name: string) => string;
  readonly raw: (name: string) => string;
  /** The chosen option of a select field. The caller's type must be that of the field's options. */
  readonly option: <Option extends string>(name: string) => Option;
  readonly all: (name: string) => readonly string[];
  /** The checked options of a group. */
  readonly options: <Option extends string>(name: string) => readonly Option[];
};

/** One form, one request. Validation errors are shown next to their fields, and the first one gets the focus. */
export function Form<Reply>({ send, done, submit, wide = false, clears = false, beside, children }: FormProps<Reply>) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isReadOnly = useReadOnly();
  const sent = useRef({ content: '', key: '' });
  const wasSent = useRef(false);

  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus();
  }, [failure]);

  // The disabled button loses the focus while the form is sent; keyboard users get it back.
  useEffect(() => {
    if (!sending && wasSent.current && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus({ preventScroll: true });
    wasSent.current = sending;
  }, [sending]);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const data = new FormData(event.currentTarget);
    const content = JSON.stringify([...data.entries()]);
    if (content !== sent.current.content) sent.current = { content, key: newIdempotencyKey() };
    setSending(true);
    try {
      const reply = await send(readValues(data), sent.current.key);
      setFailure(null);
      sent.current = { content: '', key: '' };
      await done?.(reply);
      // Resets only after the saved data was read again, so that the fields show the new values.
      if (clears) form.current?.reset();
    } catch (error) {
      setFailure(failureOf(error instanceof Error ? error : new Error(String(error)), form.current));
    } finally {
      setSending(false);
    }
  };

  return (
    <FieldErrors value={failure?.errors ?? []}>
      <form ref={form} onSubmit={(event) => void onSubmit(event)} className={styles.form} aria-busy={sending}>
        {failure?.alert && <ErrorAlert error={failure.alert} />}
        <div className={styles.fields}>{children}</div>
        <div className={styles.buttons} data-wide={wide || undefined}>
          <Button type="submit" loading={sending} disabled={isReadOnly} fullWidth={wide}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
    </FieldErrors>
  );
}

const FieldErrors = createContext<readonly FieldError[]>([]);

/** The validation error of a field, as a sentence; undefined when there is none. */
export function useFieldError(name: string): string | undefined {
  const found = use(FieldErrors).find(({ field }) => field === name);
  return found && sentence(found.message);
}

/** The validation errors of all fields below a name, for a group that shows them together. Mark the group with `data-errors-for`. */
export const useFieldErrorsBelow = (prefix: string): readonly string[] =>
  use(FieldErrors).flatMap(({ field, message }) => (isBelow(field, prefix) ? [message] : []));

const isBelow = (field: string, prefix: string) => field === prefix || field.startsWith(`${prefix}.`);

function isShownBeside(form: HTMLFormElement | null, field: string): boolean {
  if (form === null) return false;
  const groups = [...form.querySelectorAll<HTMLElement>('[data-errors-for]')];
  return form.elements.namedItem(field) !== null || groups.some(({ dataset }) => isBelow(field, dataset['errorsFor'] ?? field));
}

/** A validation error found before sending, in the same form as the service's. */
export const fieldError = (field: string, message: string) =>
  new ApiError(422, { reason: 'unprocessable', message, errors: [{ field, message }] });

/** A validation error of the whole form, shown above its fields. */
export const formError = (message: string) => new ApiError(422, { reason: 'unprocessable', message });

export function readValues(data: FormData): Values {
  const exact = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  const all = (name: string) => data.getAll(name).filter((value) => typeof value === 'string');
  return {
    raw: exact,
    text: (name) => exact(name).trim(),
    option: <Option extends string>(name: string) => exact(name) as Option,
    all,
    options: <Option extends string>(name: string) => all(name) as readonly string[] as readonly Option[],
  };
}

/**
 * The errors next to the fields and the alert above them. Errors of fields that this form does not show go into the alert, where they
 * are visible.
 */
type Failure = { readonly errors: readonly FieldError[]; readonly alert: Error | null };

function failureOf(problem: Error, form: HTMLFormElement | null): Failure {
  if (!(problem instanceof ApiError) || problem.errors.length === 0) return { errors: [], alert: problem };
  const { status, reason, errors } = problem;
  const unmatched = errors.filter(({ field }) => !isShownBeside(form, field));
  if (unmatched.length === 0) return { errors: errors, alert: null };
  const message = `${problem.message} ${unmatched.map(({ field, message: text }) => `${field}: ${text}`).join('; ')}`;
  return { errors: errors, alert: new ApiError(status, { reason, message }) };
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
