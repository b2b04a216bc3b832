import { Button } from '@mantine/core';
import { createContext, use, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiProblem, type FieldFault } from '../api.ts';
import { newKey } from './new-key.ts';
import { useOnlyLooking } from './only-looking.ts';
import { ProblemNote } from './problem-note.tsx';
import styles from './form.module.css';

type FormProps<Reply> = {
  /** The key stays the same while the same content is sent again, so that a lost answer does not create a thing twice. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<Reply>;
  readonly done?: (reply: Reply) => unknown;
  readonly submit: string;
  readonly wide?: boolean;
  /** Empties the fields once it was sent well. */
  readonly clears?: boolean;
  /** Beside the button: cancel, a link. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
};

/** What was typed. Text is trimmed; a password is taken as it is. */
export type Values = {
  readonly text: (name: string) => string;
  readonly exact: (name: string) => string;
  readonly all: (name: string) => readonly string[];
};

/** One form, one request: its faults stand beside the fields they name, and the first of them takes the focus. */
export function Form<Reply>({ send, done, submit, wide = false, clears = false, beside, children }: FormProps<Reply>) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isLooking = useOnlyLooking();
  const sent = useRef({ content: '', key: '' });
  const wasSent = useRef(false);

  useEffect(() => {
    if (failure !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus();
  }, [failure]);

  // The button is disabled while it sends, which takes the focus from it: whoever works by keyboard gets it back.
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
    if (content !== sent.current.content) sent.current = { content, key: newKey() };
    setSending(true);
    try {
      const reply = await send(valuesOf(data), sent.current.key);
      setFailure(null);
      sent.current = { content: '', key: '' };
      await done?.(reply);
      // After what was saved was read again: fields that show it go back to that, and not to what was there before.
      if (clears) form.current?.reset();
    } catch (error) {
      setFailure(failureOf(error instanceof Error ? error : new Error(String(error)), form.current));
    } finally {
      setSending(false);
    }
  };

  return (
    <Faults value={failure?.faults ?? []}>
      <form ref={form} onSubmit={(event) => void onSubmit(event)} className={styles.form} aria-busy={sending}>
        {failure?.note && <ProblemNote problem={failure.note} />}
        <div className={styles.fields}>{children}</div>
        <div className={styles.buttons} data-wide={wide || undefined}>
          <Button type="submit" loading={sending} disabled={isLooking} fullWidth={wide}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
    </Faults>
  );
}

const Faults = createContext<readonly FieldFault[]>([]);

/** What is wrong with a field, as a sentence; undefined where nothing is. */
export function useFault(name: string): string | undefined {
  const found = use(Faults).find(({ field }) => field === name);
  return found && sentence(found.message);
}

/** What is wrong anywhere below a name, for groups of fields that tell it together. Mark the group with `data-faults`. */
export const useFaultsBelow = (prefix: string): readonly string[] =>
  use(Faults).flatMap(({ field, message }) => (isBelow(field, prefix) ? [message] : []));

const isBelow = (field: string, prefix: string) => field === prefix || field.startsWith(`${prefix}.`);

function isShownBeside(form: HTMLFormElement | null, field: string): boolean {
  if (form === null) return false;
  const groups = [...form.querySelectorAll<HTMLElement>('[data-faults]')];
  return form.elements.namedItem(field) !== null || groups.some(({ dataset }) => isBelow(field, dataset['faults'] ?? field));
}

/** A fault found before anything was sent, in the same form as the service's own. */
export const faultOf = (field: string, message: string) =>
  new ApiProblem(422, { reason: 'unprocessable', message, errors: [{ field, message }] });

/** The same, of all that was typed together: it stands above the fields. */
export const faultOfWhole = (message: string) => new ApiProblem(422, { reason: 'unprocessable', message });

export function valuesOf(data: FormData): Values {
  const exact = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { exact, text: (name) => exact(name).trim(), all: (name) => data.getAll(name).filter((value) => typeof value === 'string') };
}

/** What stands beside the fields, and what is told above them: faults of fields that this form does not show would else be silent. */
type Failure = { readonly faults: readonly FieldFault[]; readonly note: Error | null };

function failureOf(problem: Error, form: HTMLFormElement | null): Failure {
  if (!(problem instanceof ApiProblem) || problem.errors.length === 0) return { faults: [], note: problem };
  const { status, reason, errors } = problem;
  const silent = errors.filter(({ field }) => !isShownBeside(form, field));
  if (silent.length === 0) return { faults: errors, note: null };
  const message = `${problem.message} ${silent.map(({ field, message: text }) => `${field}: ${text}`).join('; ')}`;
  return { faults: errors, note: new ApiProblem(status, { reason, message }) };
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
