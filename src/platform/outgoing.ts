import { lookup as systemLookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/**
 * A call to an address that somebody else chose: a shop's landing page, an endpoint for webhooks. It reaches public addresses,
 * and those that the operator names in OUTGOING_ALLOW, and nothing else of our network.
 */
export type OutgoingCall = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | null;
};

export type OutgoingRules = {
  /** `host:port` pairs that may be called although they are not public: `config.outgoingAllow`. */
  readonly allow: readonly string[];
  /** For everything together, redirects too. */
  readonly timeoutMs: number;
  /** Of the answer's body no more is read. */
  readonly bytesMax: number;
  /** None where it is left out, and none for a POST: a webhook's answer is where it was sent. Each is judged like the first address. */
  readonly redirectsMax?: number;
  /** How names are looked up; the system's way where it is left out. */
  readonly lookup?: (hostname: string) => Promise<readonly string[]>;
};

export type Hop = { readonly url: string; readonly status: number; readonly location: string | null };

export type OutgoingEnd =
  | {
      readonly is: 'answered';
      /** Where the redirects ended. */
      readonly url: string;
      readonly status: number;
      /** By lower-case name; several of one name are joined by commas. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** The body was longer than may be read. */
      readonly isCut: boolean;
      /** Every answer on the way, the last one too. */
      readonly hops: readonly Hop[];
    }
  /** By our own rules; no byte was sent to the address that is at fault. */
  | {
      readonly is: 'refused';
      readonly why: 'bad_url' | 'not_public' | 'too_many_redirects';
      readonly message: string;
      readonly hops: readonly Hop[];
    }
  | { readonly is: 'failed'; readonly why: 'timeout' | 'unreachable'; readonly message: string; readonly hops: readonly Hop[] };

/** Every end is a value. What a message says may be shown to the person who chose the address. */
export async function callOutside(call: OutgoingCall, rules: OutgoingRules): Promise<OutgoingEnd> {
  const signal = AbortSignal.timeout(rules.timeoutMs);
  const method = call.method ?? 'GET';
  const hops: Hop[] = [];
  let headers = call.headers ?? {};
  let url = readUrl(call.url);
  for (;;) {
    if (url === null) return { is: 'refused', why: 'bad_url', message: 'It is no http or https address without a password.', hops };
    let answer: Answer;
    try {
      answer = await ask(url, { method, headers, body: call.body ?? null, signal, rules });
    } catch (error) {
      return endOf(error, { signal, url, rules, hops });
    }
    const location = answer.headers['location'] ?? null;
    hops.push({ url: url.href, status: answer.status, location });
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== null;
    if (!isRedirect || method === 'POST' || rules.redirectsMax === undefined) return { is: 'answered', url: url.href, ...answer, hops };
    if (hops.length > rules.redirectsMax)
      return { is: 'refused', why: 'too_many_redirects', message: `It leads on more than ${rules.redirectsMax} times.`, hops };
    const next = readUrl(location, url);
    // What the caller sent was meant for the first address.
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

class NotPublic extends Error {}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isCut: boolean;
};
type Asking = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  readonly signal: AbortSignal;
  readonly rules: OutgoingRules;
};

function ask(url: URL, { method, headers, body, signal, rules }: Asking): Promise<Answer> {
  const pair = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
  const isAllowed = rules.allow.some((allowed) => allowed.toLowerCase() === pair);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A bare address is connected to without any look-up, so it is judged here.
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(new NotPublic());
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method,
      // Nothing is unpacked here: a small body must not become a large one.
      headers: {
        'accept-encoding': 'identity',
        'user-agent': 'Tributary',
        ...headers,
        ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      // A connection of its own: one that is kept was judged for another call.
      agent: false,
      signal,
      lookup: lookupBy(rules.lookup ?? lookUp, isAllowed),
    };
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      readBeginning(response, rules.bytesMax).then(
        (read) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), ...read }),
        reject,
      );
    });
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

const lookUp = async (hostname: string): Promise<readonly string[]> =>
  (await systemLookup(hostname, { all: true })).map(({ address }) => address);

/**
 * What is judged here is what is connected to: a name that is looked up once to be judged and once more to connect may
 * have moved to another address in between. One address that is not public is enough to refuse the name.
 */
function lookupBy(lookup: (hostname: string) => Promise<readonly string[]>, isAllowed: boolean): LookupFunction {
  const judged = async (hostname: string): Promise<readonly string[] | Error> => {
    try {
      const addresses = await lookup(hostname);
      return addresses.length > 0 && (isAllowed || addresses.every(isPublicAddress)) ? addresses : new NotPublic();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  return (hostname, options, callback) => {
    const tell = async (): Promise<void> => {
      const found = await judged(hostname);
      if (found instanceof Error) return callback(found, '', 0);
      const addresses = found.map((address) => ({ address, family: isIP(address) }));
      if (options.all === true) return callback(null, addresses);
      return callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    };
    void tell();
  };
}

async function readBeginning(response: IncomingMessage, bytesMax: number): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > bytesMax) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax), isCut: length > bytesMax };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]));

type At = { readonly signal: AbortSignal; readonly url: URL; readonly rules: OutgoingRules; readonly hops: readonly Hop[] };

function endOf(error: unknown, { signal, url, rules, hops }: At): OutgoingEnd {
  if (error instanceof NotPublic) {
    const message = `${url.host} is not on the public internet; an operator can allow it in OUTGOING_ALLOW.`;
    return { is: 'refused', why: 'not_public', message, hops };
  }
  if (signal.aborted)
    return { is: 'failed', why: 'timeout', message: `${url.host} did not answer within ${rules.timeoutMs / 1_000} seconds.`, hops };
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { is: 'failed', why: 'unreachable', message: `${url.host} could not be reached${code === null ? '' : ` (${code})`}.`, hops };
}
