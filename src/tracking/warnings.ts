import type { Postback } from '../contract/door.ts';
import type { Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';

/** What a merchant should know about a request that was answered, besides its answer. */
export type Warning = { readonly code: string; readonly field: string | null; readonly message: string };

export function warningsOf(_postback: Postback<unknown>, _judged: { readonly outcome: Outcome; readonly why: Why }): readonly Warning[] {
  return [];
}
