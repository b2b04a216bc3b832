import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, type FieldError } from '../api/client.ts';
import { Icon } from './icons.tsx';

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
              Try again
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
  if (!(problem instanceof ApiError)) return 'This page stumbled';
  if (problem.status === 0 || problem.status >= 500) return 'The service did not answer';
  if (problem.status === 404) return 'Not found';
  if (problem.status === 403) return 'Not allowed';
  if (problem.status === 429) return 'Too many tries';
  return 'That did not work';
}

export function errorText(problem: Error): string {
  if (!(problem instanceof ApiError))
    return 'Something in this page is wrong, and not by your doing. Load it again; if it stays, tell whoever runs this service.';
  switch (problem.reason) {
    case 'not_found':
      return 'There is nothing here, or it belongs to somebody else. Check the address, or go back to the list.';
    case 'permission_missing':
      return `Your role does not allow this. Ask an owner of the store to do it, or to change your role. (${problem.message})`;
    case 'too_many_requests':
      return `Wait ${problem.retryAfterSeconds === 1 ? 'a second' : `${problem.retryAfterSeconds ?? 60} seconds`}, then try again.`;
    case 'proof_required':
      return 'This needs a fresh proof that it is you. Try again, and enter your password when asked.';
    case 'temporarily_unavailable':
      return 'It is busy or its database is away. Nothing was changed. Try again in a few seconds.';
    case 'invalid_request':
      return problem.errors.length === 0 ? problem.message : `This was not understood: ${problem.errors.map(fieldErrorText).join('; ')}.`;
    default:
      return problem.message;
  }
}

/** The service names its fields as in the API. */
const fieldErrorText = ({ field, message }: FieldError): string => `${field.replaceAll('_', ' ')} ${message}`;
