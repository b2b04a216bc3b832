import { merchantSettings, type MerchantSettings } from '../src/platform/config.ts';
import { createTributary, type Result, type Tributary } from '../sdk/src/tributary.ts';

/** One command of a merchant's command line. It gives the exit code: 0 done, 1 refused or wrong, 75 try again later. */
export type Command = {
  readonly usage: string;
  readonly does: string;
  /** An interrupt is told to it, and it ends where that is safe. Every other command an interrupt ends at once. */
  readonly stopsItself?: true;
  readonly run: (given: Given, terminal: Terminal) => Promise<number>;
};

export type Given = {
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly settings: MerchantSettings;
  readonly outgoingAllow: readonly string[];
};

export const flagOptions = {
  json: { type: 'boolean' },
  operation: { type: 'string' },
  failed: { type: 'string' },
  out: { type: 'string' },
  'test-link': { type: 'string' },
  landing: { type: 'string' },
  count: { type: 'string' },
} as const;
export type Flags = {
  readonly json?: boolean | undefined;
  readonly operation?: string | undefined;
  readonly failed?: string | undefined;
  readonly out?: string | undefined;
  readonly 'test-link'?: string | undefined;
  readonly landing?: string | undefined;
  readonly count?: string | undefined;
};

/** What a command does to the world around it. Sending aside: that is real in tests too. */
export type Terminal = {
  readonly say: (line: string) => void;
  /** A file's text; that of the standard input for `-`. */
  readonly read: (path: string) => Promise<string>;
  readonly write: (path: string, text: string) => Promise<void>;
  /** To the end of a file, which need not be there yet. */
  readonly append: (path: string, text: string) => Promise<void>;
  readonly signal: AbortSignal;
};

export const exit = { done: 0, wrong: 1, later: 75 } as const;

/** A mistake of whoever typed the command: it is told, without a stack. */
export class Mistake extends Error {}

/** The service is away or busy: the same command may succeed later. It is told likewise, with the exit code that says so. */
export class Later extends Error {}

export function needed(settings: MerchantSettings, name: keyof MerchantSettings): string {
  const value = settings[name]?.trim() ?? '';
  if (value === '') throw new Mistake(`set ${name}: ${merchantSettings[name]}`);
  return value;
}

export const serviceUrl = (settings: MerchantSettings): string => (settings.TRIBUTARY_URL ?? 'http://localhost:3000').replace(/\/+$/, '');

export function tributaryOf(settings: MerchantSettings): Tributary {
  return createTributary({
    baseUrl: serviceUrl(settings),
    trackingKey: needed(settings, 'TRIBUTARY_TRACKING_KEY'),
    postbackKey: needed(settings, 'TRIBUTARY_POSTBACK_KEY'),
  });
}

/** The management API, with the merchant's key. */
export async function callApi(settings: MerchantSettings, path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${needed(settings, 'TRIBUTARY_API_KEY')}`;
  const headers = { authorization, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) };
  return askService(settings, `/api/v1${path}`, { ...init, headers });
}

const tooMany = 429;

/** Gives a good answer. Silence, being asked to wait and a service that is away pass by themselves; a refusal stays one. */
export async function askService(settings: MerchantSettings, path: string, init: RequestInit = {}): Promise<Response> {
  const url = serviceUrl(settings);
  // Where a redirect leads is never called: a key would go along.
  const response = await fetch(`${url}${path}`, { ...init, redirect: 'manual' }).catch(() => {
    throw new Later(`${url} cannot be reached`);
  });
  if (response.ok) return response;
  const { status } = response;
  const said = (await response.text().catch(() => '')).slice(0, 1_000);
  const message = `the service answered ${path} with HTTP ${status}: ${said}`;
  throw status === tooMany || status >= 500 ? new Later(message) : new Mistake(message);
}

export const storePath = (settings: MerchantSettings): string => `/stores/${encodeURIComponent(needed(settings, 'TRIBUTARY_STORE'))}`;

/** A result in a line for people. */
export function told(result: Result): string {
  const mark = result.ok ? 'good ' : result.retry === 'no' ? 'WRONG' : 'later';
  const tries = result.attempts > 1 ? `, ${result.attempts} tries` : '';
  const field = !result.ok && result.retry === 'no' && result.field !== null ? ` (${result.field})` : '';
  return `${mark} ${result.status ?? 'no answer'} ${result.reason}${tries}: ${result.message}${field}`;
}

export const exitOf = (result: Result): number => (result.ok ? exit.done : result.retry === 'no' ? exit.wrong : exit.later);
