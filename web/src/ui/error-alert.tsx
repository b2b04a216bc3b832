import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, type FieldError } from '../api/client.ts';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

type ErrorAlertProps = {
  /** Null: there is none, and nothing is shown. */
  readonly error: Error | null;
  readonly onRetry?: () => void;
  readonly next?: ReactNode;
  /** For alerts after an action: the pressed button lost the focus. */
  readonly takesFocus?: boolean;
};

/** What went wrong and the next step. Screen readers announce it when it appears. */
export function ErrorAlert({ error, onRetry, next, takesFocus = false }: ErrorAlertProps) {
  if (error === null) return null;
  const isRetryable = onRetry !== undefined && !isFinal(error);
  return (
    <Alert
      ref={takesFocus ? takeFocus : null}
      tabIndex={-1}
      role="alert"
      color="red"
      variant="outline"
      icon={<Icon name="alert" />}
      mb="md"
      title={errorTitle(error)}
    >
      {errorText(error)}
      {(isRetryable || next) && (
        <div style={{ marginTop: 10 }}>
          {isRetryable && (
            <Button variant="default" size="xs" onClick={onRetry}>
              {t.error_alert.try_again}
            </Button>
          )}
          {next}
        </div>
      )}
    </Alert>
  );
}

const takeFocus = (note: HTMLElement | null): void => note?.focus();

/** A retry cannot succeed. */
const isFinal = (problem: Error): boolean =>
  problem instanceof ApiError && (problem.status === 404 || problem.reason === 'permission_missing');

function errorTitle(problem: Error): string {
  if (!(problem instanceof ApiError)) return t.error_alert.this_page_stumbled;
  if (problem.status === 0 || problem.status >= 500) return t.error_alert.the_service_did_not_answer;
  if (problem.status === 404) return t.error_alert.not_found;
  if (problem.status === 403) return t.error_alert.not_allowed;
  if (problem.status === 429) return t.error_alert.too_many_tries;
  return t.error_alert.that_did_not_work;
}

export function errorText(problem: Error): string {
  if (!(problem instanceof ApiError)) return t.error_alert.something_in_this_page_is;
  switch (problem.reason) {
    case 'not_found':
      return t.error_alert.there_is_nothing_here_or;
    case 'permission_missing':
      return t.error_alert.your_role_does_not_allow({ message: problem.message });
    case 'too_many_requests':
      return t.error_alert.wait_then_try_again({
        value: problem.retryAfterSeconds === 1 ? 'a second' : `${problem.retryAfterSeconds ?? 60} seconds`,
      });
    case 'proof_required':
      return t.error_alert.this_needs_a_fresh_proof;
    case 'temporarily_unavailable':
      return t.error_alert.it_is_busy_or_its;
    case 'invalid_request':
      return problem.errors.length === 0
        ? problem.message
        : t.error_alert.this_was_not_understood({ errors: problem.errors.map(fieldErrorText).join('; ') });
    default:
      return problem.message;
  }
}

/** The service names its fields as in the API. */
const fieldErrorText = ({ field, message }: FieldError): string => `${field.replaceAll('_', ' ')} ${message}`;
