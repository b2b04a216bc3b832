/** What one try brought: an answer, read as far as it could be, or none. */
export type Try =
  | { readonly is: 'no answer'; readonly reason: 'network_error' | 'timeout' }
  | { readonly is: 'answer'; readonly status: number; readonly json: AnswerJson | null };
export type AnswerJson = Readonly<Record<string, unknown>> & { readonly ok: boolean; readonly reason: string };

export type Verdict =
  | { readonly next: 'done'; readonly json: AnswerJson }
  /** Never again. */
  | { readonly next: 'stop'; readonly reason: string }
  /** Again tomorrow, and no sooner. */
  | { readonly next: 'tomorrow' }
  /** Again, the same bytes, after a while. */
  | { readonly next: 'again'; readonly reason: string };

/**
 * Network errors and 5xx are tried again, with two exceptions among the 5xx; all else is final. Judged by status and reason, never by
 * wording.
 */
export function decideAnswer(came: Try): Verdict {
  if (came.is === 'no answer') return { next: 'again', reason: came.reason };
  const { status, json } = came;
  if (isWithin(status, 200) && json?.ok === true) return { next: 'done', json };
  // A page of a proxy, or an answer cut off in its middle: the service has not said that it recorded anything.
  if (isWithin(status, 200)) return { next: 'again', reason: 'unreadable_answer' };
  // Never followed: the key would go wherever it leads. Zero is how some runtimes show it.
  if (isWithin(status, 300) || status === 0) return { next: 'stop', reason: 'unexpected_redirect' };
  if (status < 500) return { next: 'stop', reason: json?.reason ?? `http_${status}` };
  if (json?.reason === 'duplicate_event') return { next: 'stop', reason: json.reason };
  if (json?.reason === 'active_hold') return { next: 'tomorrow' };
  return { next: 'again', reason: json?.reason ?? `http_${status}` };
}

const isWithin = (status: number, hundred: number): boolean => status >= hundred && status < hundred + 100;
