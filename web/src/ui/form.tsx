import { Button } from './button.tsx';
import { useMutation } from '@tanstack/react-query';
import { createContext, lazy, Suspense, use, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ApiError, type FieldError } from '../api/client.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { useReadOnly } from './read-only.ts';
import { ErrorAlert } from './error-alert.tsx';
import styles from './form.module.css';
import { t } from './messages.ts';

const LeaveWarning = lazy(async () => ({ default: (await import('./leave-warning.tsx')).LeaveWarning }));

type FormProps<Reply> = {
  /** The key stays the same while the same content is sent again, so that a lost response does not create a second object. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<Reply>;
  readonly done?: (reply: Reply) => unknown;
  readonly submit: string;
  readonly wide?: boolean;
  /** Clears the fields after success. */
  readonly clears?: boolean;
  /** For a long form: asks before the page is left with unsaved changes. */
  readonly warnsOnLeave?: boolean;
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

/**
 * One form, one request. Errors are shown next to their fields, whether the browser or the service finds them, and the first wrong field
 * gets the focus. All other errors are one alert above the fields.
 */
export function Form<Reply>({ submit, wide = false, warnsOnLeave = false, beside, children, ...props }: FormProps<Reply>) {
  const element = useRef<HTMLFormElement>(null);
  const isReadOnly = useReadOnly();
  const request = useFormRequest(element, props);
  return (
    <FieldErrors value={request.errors}>
      <form
        ref={element}
        noValidate
        onSubmit={request.onSubmit}
        onChange={request.onChange}
        className={styles.form}
        aria-busy={request.isPending}
      >
        <ErrorAlert error={request.alert} />
        <div className={styles.fields}>{children}</div>
        <div className={styles.buttons} data-wide={wide || undefined}>
          <Button type="submit" loading={request.isPending} disabled={isReadOnly} fullWidth={wide}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
      {warnsOnLeave && <Suspense children={<LeaveWarning isChanged={request.isChanged} />} />}
    </FieldErrors>
  );
}

type FormElement = { readonly current: HTMLFormElement | null };
type RequestProps<Reply> = Pick<FormProps<Reply>, 'send' | 'done' | 'clears'>;

/** Sends a form, and keeps what went wrong. */
function useFormRequest<Reply>(element: FormElement, { send, done, clears = false }: RequestProps<Reply>) {
  const { isChanged, markSaved } = useChanges(element);
  const [errors, setErrors] = useState<Errors>({});
  const sent = useRef({ content: '', key: '' });
  const [failure, setFailure] = useState<Failure>({ count: 0, alert: null });
  const fail = (alert: Error | null) => setFailure(({ count }) => ({ count: count + 1, alert }));
  const request = useMutation({
    mutationFn: async (data: FormData) => {
      const content = contentOf(data);
      if (content !== sent.current.content) sent.current = { content, key: newIdempotencyKey() };
      const reply = await send(readValues(data), sent.current.key);
      sent.current = { content: '', key: '' };
      markSaved();
      await done?.(reply);
      // Resets only after the saved data was read again, so that the fields show the new values.
      if (clears) element.current?.reset();
    },
    onMutate: () => setFailure(({ count }) => ({ count, alert: null })),
    onError: (error) => {
      setErrors(Object.fromEntries(fieldErrorsOf(error).map(({ field, message }) => [field, message])));
      fail(alertOf(error, element.current));
    },
  });
  useFocusAfter({ element, failures: failure.count, isPending: request.isPending });

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (request.isPending) return;
    const found = browserErrors(event.currentTarget);
    setErrors(found);
    if (Object.keys(found).length > 0) return fail(null);
    request.mutate(new FormData(event.currentTarget));
  };
  const onChange = ({ target }: FormEvent<HTMLFormElement>) => {
    const name = target instanceof Element ? target.getAttribute('name') : null;
    if (name !== null && errors[name] !== undefined) setErrors(({ [name]: _corrected, ...others }) => others);
  };
  return { errors, alert: failure.alert, isPending: request.isPending, isChanged, onSubmit, onChange };
}

/** `alert`: an error that no field of the form shows. */
type Failure = { readonly count: number; readonly alert: Error | null };

type Errors = Readonly<Record<string, string>>;

/** Whether the fields differ from what was saved last. Their values stay in the form's elements. */
function useChanges(element: FormElement) {
  const saved = useRef<string | null>(null);
  const read = () => contentOf(new FormData(element.current ?? undefined));
  const markSaved = () => void (saved.current = read());
  const markInitial = useRef(markSaved);
  useEffect(() => markInitial.current(), []);
  return { isChanged: () => saved.current !== read(), markSaved };
}

const contentOf = (data: FormData): string => JSON.stringify([...data.entries()]);

/** What the browser finds wrong, such as a required field without a value. Everything else is checked by the service. */
function browserErrors(form: HTMLFormElement): Errors {
  const errors: Record<string, string> = {};
  for (const field of form.elements) {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;
    if (!isField || field.name === '' || field.validity.valid) continue;
    const isText = field.type !== 'checkbox' && field.type !== 'radio';
    errors[field.name] ??= field.validity.valueMissing && isText ? t.form.is_required : field.validationMessage;
  }
  return errors;
}

/** Moves the focus to the first error after a failure, and otherwise back to the button, which loses it while it is disabled. */
function useFocusAfter({
  element,
  failures,
  isPending,
}: {
  readonly element: FormElement;
  readonly failures: number;
  readonly isPending: boolean;
}) {
  const wasPending = useRef(false);
  useEffect(() => {
    if (failures > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus();
  }, [element, failures]);
  useEffect(() => {
    if (!isPending && wasPending.current && document.activeElement === document.body)
      element.current?.querySelector<HTMLElement>('[type="submit"]')?.focus({ preventScroll: true });
    wasPending.current = isPending;
  }, [element, isPending]);
}

const FieldErrors = createContext<Errors>({});

/** The error of a field, as a sentence; undefined when there is none. */
export function useFieldError(name: string): string | undefined {
  const message = use(FieldErrors)[name];
  return message === undefined ? undefined : sentence(message);
}

/** The errors of all fields below a name, for a group that shows them together. Mark the group with `data-errors-for`. */
export const useFieldErrorsBelow = (prefix: string): readonly string[] =>
  Object.entries(use(FieldErrors)).flatMap(([field, message]) => (isBelow(field, prefix) ? [message] : []));

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

/** The first error of each field. */
const fieldErrorsOf = (error: Error): readonly FieldError[] => (error instanceof ApiError ? error.errors.toReversed() : []);

/** Errors of fields that this form does not show go into the alert, where they are visible. */
function alertOf(problem: Error, form: HTMLFormElement | null): Error | null {
  if (!(problem instanceof ApiError) || problem.errors.length === 0) return problem;
  const { status, reason, errors } = problem;
  const unmatched = errors.filter(({ field }) => !isShownBeside(form, field));
  if (unmatched.length === 0) return null;
  const message = `${problem.message} ${unmatched.map(({ field, message: text }) => `${field}: ${text}`).join('; ')}`;
  return new ApiError(status, { reason, message });
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
