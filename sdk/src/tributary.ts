import {
  paths,
  reportsTo,
  type Bill,
  type Bind,
  type Conversion,
  type End,
  type InvoiceRefund,
  type InvoiceReversal,
  type Lead,
  type LeadReversal,
  type Operation,
  type OrderRefund,
  type Postback,
} from './reports.ts';
import type { Reports, Reversal, Unsendable } from './reports.ts';
import { send, type Accepted, type Held, type Limits, type NotSent, type Refused, type Result, type Unavailable } from './send.ts';

export type {
  Accepted,
  Bill,
  Bind,
  Conversion,
  End,
  Held,
  InvoiceRefund,
  InvoiceReversal,
  Lead,
  LeadReversal,
  NotSent,
  Operation,
  OrderRefund,
  Postback,
  Refused,
  Result,
  Reversal,
  Unavailable,
};

export type TributaryOptions = {
  /** The base URL of the service, such as `https://partners.example.com`. */
  readonly baseUrl: string;
  readonly trackingKey: string;
  /** Secret. It is never printed, and never sent to another address. */
  readonly postbackKey: string;
  /** Limits for retries. Default: 5 attempts within 30 seconds, 10 for one. */
  readonly limits?: Partial<Limits> | undefined;
  /** Plain `http` exposes the key: it is allowed only to this machine, unless this is `true`. */
  readonly allowPlainHttp?: boolean | undefined;
};

export type Tributary = Reports<Result> & {
  /** Sends a previously serialized report, such as `result.postback`, byte for byte. */
  readonly send: (postback: Postback) => Promise<Result>;
};

const defaultLimits: Limits = { attemptsMax: 5, timeoutMs: 10_000, deadlineMs: 30_000, firstPauseMs: 200 };

/** Throws for an invalid configuration. After that nothing throws: every outcome is a value. */
export function createTributary(options: TributaryOptions): Tributary {
  refuseBrowser();
  const base = readBaseUrl(options);
  const trackingKey = readKey('trackingKey', options.trackingKey);
  const key = readKey('postbackKey', options.postbackKey);
  if (key === trackingKey) throw new TypeError('Tributary: trackingKey and postbackKey are the same; the postback key is the secret one.');
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const urlOf = (operation: Operation) => `${base}/api/partner-network/postbacks/${encodeURIComponent(trackingKey)}/${paths[operation]}`;
  const sendOne = (postback: Postback) => send(postback, { url: urlOf(postback.operation), key, limits });
  const hand = async (report: Postback | Unsendable): Promise<Result> => ('body' in report ? sendOne(report) : notSent(report));
  // The key exists in this closure only: no property could be printed, logged or serialized.
  return Object.freeze({ ...reportsTo(hand, { isTimed: false }), send: sendOne });
}

const notSent = (report: Unsendable): NotSent => ({
  ...report,
  ok: false,
  outcome: 'not_sent',
  retry: 'no',
  status: null,
  requestId: null,
  attempts: 0,
});

function refuseBrowser(): void {
  // A page has a document, and a web worker can import scripts. Servers, including edge runtimes, have neither.
  if ('document' in globalThis || 'importScripts' in globalThis)
    throw new Error('Tributary: this runs on a server only. In a browser anybody could read the postback key.');
}

function readBaseUrl({ baseUrl, allowPlainHttp }: TributaryOptions): string {
  // Not printed: a URL may contain a password.
  const wrong = 'Tributary: baseUrl must be an address such as https://partners.example.com, without a query or a password.';
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError(wrong);
  }
  const isPlain = url.protocol === 'http:';
  if ((!isPlain && url.protocol !== 'https:') || url.search || url.hash || url.username || url.password) throw new TypeError(wrong);
  if (isPlain && allowPlainHttp !== true && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))
    throw new TypeError('Tributary: baseUrl must begin with https://, or anybody on the way can read the postback key.');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Values that are invalid in a header are rejected here: the runtime's own error would quote the key. */
function readKey(field: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(`Tributary: ${field} must be the key as the dashboard shows it, without spaces or line breaks.`);
}
