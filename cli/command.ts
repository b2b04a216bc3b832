import type { MerchantSetting, MerchantSettings } from '../src/core/config.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { createTributary, type Result, type Tributary } from '../sdk/src/tributary.ts';

/** One command of the merchant's command line. It returns the exit code: 0 success, 1 rejected or invalid, 75 retry later. */
export type Command = {
  readonly usage: string;
  readonly does: string;
  /** Receives an interrupt and ends where that is safe. An interrupt ends every other command immediately. */
  readonly stopsItself?: true;
  readonly run: (given: CommandContext, terminal: Terminal) => Promise<number>;
};

export type CommandContext = {
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
  program: { type: 'string' },
  creator: { type: 'string' },
  shared: { type: 'boolean' },
  'valid-from': { type: 'string' },
  'valid-until': { type: 'string' },
  'per-customer': { type: 'string' },
  version: { type: 'string' },
  from: { type: 'string' },
  'without-own-rates': { type: 'boolean' },
  'effective-from': { type: 'string' },
} as const;
export type Flags = {
  readonly json?: boolean | undefined;
  readonly operation?: string | undefined;
  readonly failed?: string | undefined;
  readonly out?: string | undefined;
  readonly 'test-link'?: string | undefined;
  readonly landing?: string | undefined;
  readonly count?: string | undefined;
  readonly program?: string | undefined;
  readonly creator?: string | undefined;
  readonly shared?: boolean | undefined;
  readonly 'valid-from'?: string | undefined;
  readonly 'valid-until'?: string | undefined;
  readonly 'per-customer'?: string | undefined;
  readonly version?: string | undefined;
  readonly from?: string | undefined;
  readonly 'without-own-rates'?: boolean | undefined;
  readonly 'effective-from'?: string | undefined;
};

/** The effects of a command on its environment, except for HTTP requests, which are real in tests too. */
export type Terminal = {
  readonly say: (line: string) => void;
  /** The text of a file; `-` reads standard input. */
  readonly read: (path: string) => Promise<string>;
  readonly write: (path: string, text: string) => Promise<void>;
  /** Appends to a file, which is created if it is missing. */
  readonly append: (path: string, text: string) => Promise<void>;
  readonly signal: AbortSignal;
};

export const exit = { done: 0, wrong: 1, later: 75 } as const;

/** A user's mistake: reported without a stack trace. */
export class UsageError extends Error {}

/** The service is unreachable or busy: the same command may succeed later. Reported with the exit code for a retry. */
export class TemporaryError extends Error {}

export const settingMeanings: Readonly<Record<MerchantSetting, string>> = {
  TRIBUTARY_URL: apiMessage('cli_command.tributary_url'),
  TRIBUTARY_TRACKING_KEY: apiMessage('cli_command.tributary_tracking_key'),
  TRIBUTARY_POSTBACK_KEY: apiMessage('cli_command.tributary_postback_key'),
  TRIBUTARY_STORE: apiMessage('cli_command.tributary_store'),
  TRIBUTARY_API_KEY: apiMessage('cli_command.tributary_api_key'),
};

export function requireSetting(settings: MerchantSettings, name: MerchantSetting): string {
  const value = settings[name]?.trim() ?? '';
  if (value === '') throw new UsageError(apiMessage('cli_command.set', { name, means: settingMeanings[name] }));
  return value;
}

export const serviceUrl = (settings: MerchantSettings): string => (settings.TRIBUTARY_URL ?? 'http://localhost:3000').replace(/\/+$/, '');

export function openTributary(settings: MerchantSettings): Tributary {
  return createTributary({
    baseUrl: serviceUrl(settings),
    trackingKey: requireSetting(settings, 'TRIBUTARY_TRACKING_KEY'),
    postbackKey: requireSetting(settings, 'TRIBUTARY_POSTBACK_KEY'),
  });
}

/** The management API, with the merchant's key. */
export async function callApi(settings: MerchantSettings, path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${requireSetting(settings, 'TRIBUTARY_API_KEY')}`;
  const headers = { authorization, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) };
  return fetchFromService(settings, `/api/v1${path}`, { ...init, headers });
}

const tooMany = 429;

/** Returns a successful answer. Retries timeouts, 429 and outages; any other error is final. */
export async function fetchFromService(settings: MerchantSettings, path: string, init: RequestInit = {}): Promise<Response> {
  const url = serviceUrl(settings);
  // Does not follow redirects, because the key would be sent along.
  const response = await fetch(`${url}${path}`, { ...init, redirect: 'manual' }).catch(() => {
    throw new TemporaryError(apiMessage('cli_command.unreachable', { url }));
  });
  if (response.ok) return response;
  const { status } = response;
  const said = (await response.text().catch(() => '')).slice(0, 1_000);
  const message = apiMessage('cli_command.service_answered', { path, status: String(status), said });
  throw status === tooMany || status >= 500 ? new TemporaryError(message) : new UsageError(message);
}

export const storePath = (settings: MerchantSettings): string =>
  `/stores/${encodeURIComponent(requireSetting(settings, 'TRIBUTARY_STORE'))}`;

/** A result as one line of text. */
export function describeResult(result: Result): string {
  const mark = result.ok ? 'good ' : result.retry === 'no' ? 'WRONG' : 'later';
  const tries = result.attempts > 1 ? apiMessage('cli_command.attempts', { attempts: result.attempts }) : '';
  const field = !result.ok && result.retry === 'no' && result.field !== null ? ` (${result.field})` : '';
  return `${mark} ${result.status ?? apiMessage('cli_command.no_response')} ${result.reason}${tries}: ${result.message}${field}`;
}

export const exitOf = (result: Result): number => (result.ok ? exit.done : result.retry === 'no' ? exit.wrong : exit.later);
