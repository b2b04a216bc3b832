import type { ApiReason } from '../http/responses.ts';

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
  if (!isTrackingOn) return refuse('tracking_is_off', 'Tracking is off. Send a test order through a test link first to turn it on.');
  if (!hasTerms) return refuse('terms_missing', 'The program has no terms yet. Add a version of its terms first.');
  return { do: 'change' };
}

export function decidePause({ status }: Pick<PublishFacts, 'status'>): StatusDecision {
  if (status === 'paused') return { do: 'keep' };
  if (status === 'draft') return refuse('conflict', 'The program was never published, so it cannot be paused.');
  return { do: 'change' };
}

const refuse = (reason: ApiReason, message: string): StatusDecision => ({ do: 'refuse', reason, message });
