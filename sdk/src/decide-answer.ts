/** The outcome of one attempt: a response, parsed as far as possible, or none. */
export type Try =
  | { readonly is: 'no answer'; readonly reason: 'network_error' | 'timeout' }
  | { readonly is: 'answer'; readonly status: number; readonly json: AnswerJson | null };
export type AnswerJson = Readonly<Record<string, unknown>> & { readonly ok: boolean; readonly reason: string };

export type Verdict =
  | { readonly next: 'done'; readonly json: AnswerJson }
  /** Never retry. */
  | { readonly next: 'stop'; readonly reason: string }
  /** Retry tomorrow, and not earlier. */
  | { readonly next: 'tomorrow'; readonly reason: 'active_hold' | 'invoice_in_progress' }
  /** Retry the same bytes after a pause. */
  | { readonly next: 'again'; readonly reason: string };

/**
 * Network errors and 5xx are retried, with three exceptions among the 5xx; everything else is final. Decided by status and reason, never by
 * message.
 */
export function decideAnswer(came: Try): Verdict {
  if (came.is === 'no answer') return { next: 'again', reason: came.reason };
  const { status, json } = came;
  if (isWithin(status, 200) && json?.ok === true) return { next: 'done', json };
  // A proxy's page, or a truncated response: the service has not confirmed that it recorded anything.
  if (isWithin(status, 200)) return { next: 'again', reason: 'unreadable_answer' };
  // Redirects are never followed, because the key would be sent along. Some runtimes report them as status 0.
  if (isWithin(status, 300) || status === 0) return { next: 'stop', reason: 'unexpected_redirect' };
  if (status < 500) return { next: 'stop', reason: json?.reason ?? `http_${status}` };
  if (json?.reason === 'duplicate_event') return { next: 'stop', reason: json.reason };
  if (json?.reason === 'active_hold' || json?.reason === 'invoice_in_progress') return { next: 'tomorrow', reason: json.reason };
  return { next: 'again', reason: json?.reason ?? `http_${status}` };
}

const isWithin = (status: number, hundred: number): boolean => status >= hundred && status < hundred + 100;
