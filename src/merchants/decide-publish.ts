import type { ApiReason } from '../platform/http/answers.ts';

export type ProgramStatus = 'draft' | 'published' | 'paused';
export type PublishFacts = { readonly status: ProgramStatus; readonly isTrackingOn: boolean; readonly hasTerms: boolean };

export type StatusDecision =
  | { readonly do: 'change' }
  /** It is so already: asking twice is no mistake. */
  | { readonly do: 'keep' }
  | { readonly do: 'refuse'; readonly reason: ApiReason; readonly message: string };

/** A program is published once tracking was proved and it says what it pays. */
export function decidePublish({ status, isTrackingOn, hasTerms }: PublishFacts): StatusDecision {
  if (status === 'published') return { do: 'keep' };
  if (!isTrackingOn)
    return refuse('tracking_is_off', 'Tracking is off; send a test order through a test link first, it turns tracking on.');
  if (!hasTerms) return refuse('terms_missing', 'The program has no terms yet; add a version that says what it pays.');
  return { do: 'change' };
}

export function decidePause({ status }: Pick<PublishFacts, 'status'>): StatusDecision {
  if (status === 'paused') return { do: 'keep' };
  if (status === 'draft') return refuse('conflict', 'The program was never published, so there is nothing to pause.');
  return { do: 'change' };
}

const refuse = (reason: ApiReason, message: string): StatusDecision => ({ do: 'refuse', reason, message });
