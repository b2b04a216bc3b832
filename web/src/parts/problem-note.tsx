import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem, type FieldFault } from '../api.ts';
import { Icon } from './icons.tsx';

type ProblemNoteProps = {
  readonly problem: Error;
  readonly onRetry?: () => void;
  readonly next?: ReactNode;
  /** Where the button that was pressed has lost the focus by it. */
  readonly takesFocus?: boolean;
};

/** What went wrong in plain words, with the next step. It is read aloud when it appears. */
export function ProblemNote({ problem, onRetry, next, takesFocus = false }: ProblemNoteProps) {
  const isRetryable = onRetry !== undefined && !isFinal(problem);
  return (
    <Alert
      ref={takesFocus ? takeFocus : null}
      tabIndex={-1}
      role="alert"
      color="red"
      variant="outline"
      icon={<Icon name="alert" />}
      mb="md"
      title={titleOf(problem)}
    >
      {textOf(problem)}
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

/** What was refused for good is refused again. */
const isFinal = (problem: Error): boolean =>
  problem instanceof ApiProblem && (problem.status === 404 || problem.reason === 'permission_missing');

function titleOf(problem: Error): string {
  if (!(problem instanceof ApiProblem)) return 'This page stumbled';
  if (problem.status === 0 || problem.status >= 500) return 'The service did not answer';
  if (problem.status === 404) return 'Not found';
  if (problem.status === 403) return 'Not allowed';
  if (problem.status === 429) return 'Too many tries';
  return 'That did not work';
}

export function textOf(problem: Error): string {
  if (!(problem instanceof ApiProblem))
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
      return problem.errors.length === 0 ? problem.message : `This was not understood: ${problem.errors.map(faultWords).join('; ')}.`;
    default:
      return problem.message;
  }
}

/** The service names its fields as programs write them. */
const faultWords = ({ field, message }: FieldFault): string => `${field.replaceAll('_', ' ')} ${message}`;
