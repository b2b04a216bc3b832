import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import type { ReactNode } from 'react';
import { ApiError, type FieldError } from '../api/client.ts';
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
    <Alert ref={takesFocus ? takeFocus : null} tabIndex={-1} role="alert" color="red" title={errorTitle(error)}>
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
  if (!(problem instanceof ApiError)) return t.error_alert.something_went_wrong_on_our;
  if (problem.status === 0 || problem.status >= 500) return t.error_alert.couldnt_reach_the_service;
  if (problem.status === 404) return t.error_alert.not_found;
  if (problem.status === 403) return t.error_alert.you_dont_have_permission;
  if (problem.status === 429) return t.error_alert.too_many_attempts;
  return t.error_alert.couldnt_complete_the_request;
}

export function errorText(problem: Error): string {
  if (!(problem instanceof ApiError)) return t.error_alert.reload_the_page_if_the;
  switch (problem.reason) {
    case 'not_found':
      return t.error_alert.this_page_doesnt_exist_or;
    case 'permission_missing':
      return t.error_alert.your_role_doesnt_allow_this({ message: problem.message });
    case 'too_many_requests':
      return t.error_alert.try_again_in_seconds({ seconds: problem.retryAfterSeconds ?? 60 });
    case 'proof_required':
      return t.error_alert.confirm_your_password_to_continue;
    case 'temporarily_unavailable':
      return t.error_alert.the_service_is_temporarily_unavail;
    case 'invalid_request':
      return problem.errors.length === 0
        ? problem.message
        : t.error_alert.some_values_arent_valid({ errors: problem.errors.map(fieldErrorText).join('; ') });
    default:
      return problem.message;
  }
}

/** The service names its fields as in the API. */
const fieldErrorText = ({ field, message }: FieldError): string => `${field.replaceAll('_', ' ')} ${message}`;
