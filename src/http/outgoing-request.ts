import { lookup as systemLookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { apiMessage } from '../messages/api-message.ts';

/**
 * A request to a URL that a user chose, such as a landing page or a webhook endpoint. To prevent server-side request forgery, it reaches
 * only public addresses and those that the operator lists in OUTGOING_ALLOW.
 */
export type OutgoingRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | null;
};

export type OutgoingRules = {
  /** `host:port` pairs that may be called although they are not public (`config.outgoingAllow`). */
  readonly allow: readonly string[];
  /** For the whole request, including redirects. */
  readonly timeoutMs: number;
  /** The maximum number of bytes that are read from the response body. */
  readonly bytesMax: number;
  /** No redirects by default, and never for a POST. Each target is checked like the first URL. */
  readonly redirectsMax?: number;
  /** Resolves host names; the system resolver by default. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>;
};

export type Hop = { readonly url: string; readonly status: number; readonly location: string | null };

export type OutgoingResult =
  | {
      readonly is: 'answered';
      /** The URL after all redirects. */
      readonly url: string;
      readonly status: number;
      /** By lower-case name; repeated headers are joined with commas. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** Whether the body was longer than `bytesMax`. */
      readonly isCut: boolean;
      /** All responses, including the last one. */
      readonly hops: readonly Hop[];
    }
  /** Refused by our rules; nothing was sent to the address in question. */
  | {
      readonly is: 'refused';
      readonly why: 'bad_url' | 'not_public' | 'too_many_redirects';
      readonly message: string;
      readonly hops: readonly Hop[];
    }
  | { readonly is: 'failed'; readonly why: 'timeout' | 'unreachable'; readonly message: string; readonly hops: readonly Hop[] };

/** Never throws. The messages may be shown to the person who chose the URL. */
export async function sendOutgoing(call: OutgoingRequest, rules: OutgoingRules): Promise<OutgoingResult> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  const method = call.method ?? 'GET';
  const hops: Hop[] = [];
  let headers = call.headers ?? {};
  let url = readUrl(call.url);
  for (;;) {
    if (url === null) return { is: 'refused', why: 'bad_url', message: apiMessage('outgoing_request.url_must_use_http_or'), hops };
    let answer: Answer;
    try {
      answer = await sendRequest(url, { method, headers, body: call.body ?? null, signal, rules });
    } catch (error) {
      return failureResult(error, { signal, url, rules, hops });
    }
    const location = answer.headers['location'] ?? null;
    hops.push({ url: url.href, status: answer.status, location });
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== null;
    if (!isRedirect || method === 'POST' || rules.redirectsMax === undefined) return { is: 'answered', url: url.href, ...answer, hops };
    if (hops.length > rules.redirectsMax)
      return {
        is: 'refused',
        why: 'too_many_redirects',
        message: apiMessage('outgoing_request.url_redirects_more_than_times', { redirectsMax: rules.redirectsMax }),
        hops,
      };
    const next = readUrl(location, url);
    // The headers are meant for the first origin only.
    if (next !== null && next.origin !== url.origin) headers = {};
    url = next;
  }
}

const addressLengthMax = 2_048;

function readUrl(text: string, base?: URL): URL | null {
  if (text.length > addressLengthMax || !URL.canParse(text, base?.href)) return null;
  const url = new URL(text, base?.href);
  const isGood = (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
  return isGood ? url : null;
}

class NotPublicError extends Error {}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isCut: boolean;
};
type RequestParts = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  readonly signal: AbortSignal;
  readonly rules: OutgoingRules;
};

function sendRequest(url: URL, { method, headers, body, signal, rules }: RequestParts): Promise<Answer> {
  const pair = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
  const isAllowed = rules.allow.some((allowed) => allowed.toLowerCase() === pair);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Node connects to an IP address without calling `lookup`, so it is checked here.
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(new NotPublicError());
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      // Compression is not accepted, so that a small body cannot expand to a large one.
      headers: {
        'accept-encoding': 'identity',
        'user-agent': 'Tributary',
        ...headers,
        ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      // Uses a new connection, because a pooled one was checked for another request.
      agent: false,
      signal,
      lookup: restrictLookup(rules.lookup ?? systemAddresses, isAllowed),
    };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      readLimitedBody(response, rules.bytesMax).then(
        (read) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), ...read }),
        reject,
      );
    });
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

const systemAddresses = async (hostname: string): Promise<readonly string[]> =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

/**
 * Checks the same addresses that are connected to. A separate look-up for the check could return other addresses (DNS rebinding). One
 * address that is not public is enough to refuse the name.
 */
function restrictLookup(lookup: (hostname: string) => Promise<readonly string[]>, isAllowed: boolean): LookupFunction {
  const resolveChecked = async (hostname: string): Promise<readonly string[] | Error> => {
    try {
      const addresses = await lookup(hostname);
      return addresses.length > 0 && (isAllowed || addresses.every(isPublicAddress)) ? addresses : new NotPublicError();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  return (hostname, options, callback) => {
    const resolve = async (): Promise<void> => {
      const found = await resolveChecked(hostname);
      if (found instanceof Error) return callback(found, '', 0);
      const addresses = found.map((address) => ({ address, family: isIP(address) }));
      if (options.all === true) return callback(null, addresses);
      return callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    };
    void resolve();
  };
}

async function readLimitedBody(response: IncomingMessage, bytesMax: number): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // Breaking out of the loop closes the connection.
    if (length > bytesMax) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax), isCut: length > bytesMax };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]));

type FailureContext = { readonly signal: AbortSignal; readonly url: URL; readonly rules: OutgoingRules; readonly hops: readonly Hop[] };

function failureResult(error: unknown, { signal, url, rules, hops }: FailureContext): OutgoingResult {
  if (error instanceof NotPublicError) {
    const message = apiMessage('outgoing_request.not_on_public_internet', { host: url.host });
    return { is: 'refused', why: 'not_public', message, hops };
  }
  if (signal.aborted)
    return {
      is: 'failed',
      why: 'timeout',
      message: apiMessage('outgoing_request.did_not_answer_within', { host: url.host, timeoutMs: rules.timeoutMs / 1_000 }),
      hops,
    };
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  return {
    is: 'failed',
    why: 'unreachable',
    message: apiMessage('outgoing_request.could_not_reached', { host: url.host, code: code === null ? '' : ` (${code})` }),
    hops,
  };
}
