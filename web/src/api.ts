import { readJson } from './read-json.ts';
/** The only place that talks to the service. The same paths and shapes serve programs; see /docs. */
export const api = {
  get: <Reply>(path: string, signal?: AbortSignal) => send<Reply>({ method: 'GET', path, ...(signal && { signal }) }),
  post: <Reply = void>(path: string, body: object = {}, idempotencyKey?: string) =>
    send<Reply>({ method: 'POST', path, body, ...(idempotencyKey !== undefined && { idempotencyKey }) }),
  put: <Reply = void>(path: string, body: object) => send<Reply>({ method: 'PUT', path, body }),
  patch: <Reply = void>(path: string, body: object) => send<Reply>({ method: 'PATCH', path, body }),
  delete: <Reply = void>(path: string) => send<Reply>({ method: 'DELETE', path }),
  /** Makes sure of a recent proof before a browser fetches a file that asks for one: its refusal would be a page of JSON. */
  proveFirst: async (): Promise<void> => {
    const { until, now } = await provedUntil();
    if (until <= now + proofSpareMs && !(await listeners.askForProof()))
      throw new ApiProblem(403, { reason: 'proof_required', message: 'A recent proof of identity is missing.' });
  },
  /** Whether something would come: it is begun and left. Asked of the list, not of its file, since a file that is taken may be noted. */
  wouldCome: async (path: string): Promise<void> => {
    const response = await fetch(`/api/v1${path}`, { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(
      () => null,
    );
    if (response === null) throw new ApiProblem(0, notReached);
    if (!response.ok) {
      const problem = problemOf(response, await response.text());
      if (problem.reason === 'not_signed_in') listeners.onSignedOut();
      throw problem;
    }
    await response.body?.cancel();
  },
};

/** Enough for the download to begin. */
const proofSpareMs = 10_000;

/** By the clock of the service: the one of this machine may be wrong. */
async function provedUntil(): Promise<{ readonly until: number; readonly now: number }> {
  const response = await fetch('/api/v1/session', { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(
    () => null,
  );
  if (response === null) throw new ApiProblem(0, notReached);
  const text = await response.text();
  if (!response.ok) throw problemOf(response, text);
  const now = Date.parse(response.headers.get('date') ?? '');
  return { until: Date.parse(readReply<{ proved_until: string }>(text).proved_until), now: Number.isNaN(now) ? Date.now() : now };
}

export type Page<Item> = { readonly data: readonly Item[]; readonly next_cursor: string | null };

/** What is wrong with which field, as the service names it. */
export type FieldFault = { readonly field: string; readonly message: string };

/** A refusal of the service, or that it could not be reached. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly reason: string;
  readonly errors: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;
  constructor(
    status: number,
    said: { reason: string; message: string; errors?: readonly FieldFault[] },
    retryAfterSeconds: number | null = null,
  ) {
    super(said.message);
    this.status = status;
    this.reason = said.reason;
    this.errors = said.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Silence, being asked to wait and a service that is away: the same may be answered otherwise in a moment. */
export const isPassing = ({ status }: ApiProblem): boolean => status === 0 || status === 429 || status >= 500;

/** What the shell does about answers that any request may get. */
export type ApiListeners = {
  /** Asks the person to prove who they are; false where they would rather not. */
  readonly askForProof: () => Promise<boolean>;
  /** Somebody only looks: what would change something is not sent. */
  readonly isOnlyLooking: () => boolean;
  /** The session ended, here or elsewhere. */
  readonly onSignedOut: () => void;
};
let listeners: ApiListeners = { askForProof: async () => false, isOnlyLooking: () => false, onSignedOut: () => {} };
export function listenToApi(given: Partial<ApiListeners>): void {
  listeners = { ...listeners, ...given };
}

type Sending = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

const notReached = {
  reason: 'not_reached',
  message: 'The service could not be reached. Check your connection, then try again.',
};

const onlyLooking = { reason: 'only_looking', message: 'You only look at this, as its people see it. End viewing to change something.' };

/** Moving the sandbox's clock runs weeks of jobs before it answers. */
const answerMsMax = 120_000;

async function send<Reply>(sending: Sending): Promise<Reply> {
  if (sending.method !== 'GET' && sending.path !== '/session' && listeners.isOnlyLooking()) throw new ApiProblem(403, onlyLooking);
  const answer = await attempt<Reply>(sending);
  if (!(answer instanceof ApiProblem)) return answer;
  if (answer.reason === 'not_signed_in') listeners.onSignedOut();
  // What is delicate wants a fresh proof. Once given, the same request goes again; a second refusal stands.
  if (answer.reason !== 'proof_required' || !(await listeners.askForProof())) throw answer;
  const again = await attempt<Reply>(sending);
  if (again instanceof ApiProblem) throw again;
  return again;
}

async function attempt<Reply>({ method, path, body, idempotencyKey, signal }: Sending): Promise<Reply | ApiProblem> {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const patience = AbortSignal.timeout(answerMsMax);
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return response.ok ? readReply<Reply>(text) : problemOf(response, text);
  } catch (error) {
    if (signal?.aborted) throw error;
    return new ApiProblem(0, notReached);
  }
}

// The one place where the service's word is taken for the shape of its answer: it checks its replies against the same schemas.
const readReply = <Reply>(text: string) => (text === '' ? undefined : readJson(text)) as Reply;

function problemOf(response: Response, text: string): ApiProblem {
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem(response.status, readRefusal(text), Number.isFinite(wait) ? wait : null);
}

function readRefusal(text: string): { reason: string; message: string; errors?: readonly FieldFault[] } {
  try {
    const said = JSON.parse(text) as Partial<{ reason: string; message: string; errors: readonly FieldFault[] }>;
    if (typeof said.reason === 'string' && typeof said.message === 'string') {
      return { reason: said.reason, message: said.message, errors: said.errors ?? [] };
    }
  } catch {
    // Something between here and the service answered, not the service.
  }
  return { reason: 'unreadable', message: 'The service gave an answer that makes no sense here. Try again in a minute.' };
}
