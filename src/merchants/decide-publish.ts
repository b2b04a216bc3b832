import type { ApiReason } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';

export type ProgramStatus = 'draft' | 'published' | 'paused';
export type PublishFacts = { readonly status: ProgramStatus; readonly isTrackingOn: boolean; readonly hasTerms: boolean };

export type StatusDecision =
  | { readonly do: 'change' }
  /** The program already has this status, and repeating the request is not an error. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly reason: ApiReason; readonly message: string };

/** A program can be published after a test order was received and commission terms exist. */
export function decidePublish({ status, isTrackingOn, hasTerms }: PublishFacts): StatusDecision {
  if (status === 'published') return { do: 'keep' };
  if (!isTrackingOn) return refuse('tracking_is_off', apiMessage('decide_publish.tracking_off_send_test_order'));
  if (!hasTerms) return refuse('terms_missing', apiMessage('decide_publish.program_has_no_terms_yet'));
  return { do: 'change' };
}

export function decidePause({ status }: Pick<PublishFacts, 'status'>): StatusDecision {
  if (status === 'paused') return { do: 'keep' };
  if (status === 'draft') return refuse('conflict', apiMessage('decide_publish.program_never_published_so_cannot'));
  return { do: 'change' };
}

const refuse = (reason: ApiReason, message: string): StatusDecision => ({ do: 'refuse', reason, message });
