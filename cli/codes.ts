import type { MerchantSettings } from '../src/core/config.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { callApi, exit, storePath, UsageError, type Command, type CommandContext, type Flags, type Terminal } from './command.ts';

const createOptions = ['[--valid-from <time>]', '[--valid-until <time>]', '[--per-customer <orders>]', '[--shared]'].join(' ');
const how = `codes list | create <code> --program prog_… --creator crt_… ${createOptions} | pause <code> | resume <code> | end <code>`;

export const codes: Command = {
  usage: `${how} [--json]`,
  does: apiMessage('cli_codes.does'),
  async run(given, terminal) {
    const [action, code] = given.words;
    if (action === 'list') return list(given, terminal);
    if (code === undefined) throw new UsageError(how);
    if (action === 'create') return create(code, given, terminal);
    const status = action === undefined ? undefined : statuses.get(action);
    if (status === undefined) throw new UsageError(how);
    const { id } = await find(given.settings, code);
    const path = `${storePath(given.settings)}/codes/${encodeURIComponent(id)}`;
    return show(await request<Code>(given.settings, path, { method: 'PATCH', body: JSON.stringify({ status }) }), given.flags, terminal);
  },
};

const statuses: ReadonlyMap<string, string> = new Map([
  ['pause', 'paused'],
  ['resume', 'active'],
  ['end', 'ended'],
]);

type Code = {
  readonly id: string;
  readonly code: string;
  readonly status: string;
  readonly shared: boolean;
  readonly creator_name: string;
  readonly program_name: string;
  readonly valid_until: string | null;
  readonly orders: number;
};
type CodesPage = { readonly data: readonly Code[]; readonly next_cursor: string | null };

const pageSize = '200';
/** A store with more codes than this reads them from the API. */
const pagesMax = 100;

async function* pagesOf(settings: MerchantSettings, query: Readonly<Record<string, string>>): AsyncGenerator<readonly Code[]> {
  let cursor: string | null = null;
  for (let count = 0; count < pagesMax; count++) {
    const parameters = new URLSearchParams({ ...query, limit: pageSize, ...(cursor === null ? {} : { cursor }) });
    const page = await request<CodesPage>(settings, `${storePath(settings)}/codes?${parameters.toString()}`);
    yield page.data;
    cursor = page.next_cursor;
    if (cursor === null) return;
  }
}

async function list({ settings, flags }: CommandContext, terminal: Terminal): Promise<number> {
  let count = 0;
  for await (const page of pagesOf(settings, {})) {
    for (const code of page) terminal.say(flags.json === true ? JSON.stringify(code) : describe(code));
    count += page.length;
  }
  if (count === 0 && flags.json !== true) terminal.say(apiMessage('cli_codes.empty'));
  return exit.done;
}

/** Compared without case, as in orders. */
async function find(settings: MerchantSettings, name: string): Promise<Code> {
  for await (const page of pagesOf(settings, { q: name })) {
    const found = page.find(({ code }) => code.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
  }
  throw new UsageError(apiMessage('cli_codes.unknown', { code: name }));
}

async function create(code: string, { settings, flags }: CommandContext, terminal: Terminal): Promise<number> {
  const { program, creator } = flags;
  if (program === undefined || creator === undefined) throw new UsageError(apiMessage('cli_codes.name_the_owner'));
  const body = { code, creator_id: creator, ...settingsIn(flags) };
  const path = `${storePath(settings)}/programs/${encodeURIComponent(program)}/codes`;
  return show(await request<Code>(settings, path, { method: 'POST', body: JSON.stringify(body) }), flags, terminal);
}

function settingsIn({ shared, 'valid-from': from, 'valid-until': until, 'per-customer': most }: Flags): object {
  if (most !== undefined && !/^[1-9]\d{0,4}$/.test(most)) throw new UsageError(apiMessage('cli_codes.per_customer'));
  return {
    ...(shared === true && { shared }),
    ...(from !== undefined && { valid_from: from }),
    ...(until !== undefined && { valid_until: until }),
    ...(most !== undefined && { orders_per_customer: Number(most) }),
  };
}

/** The service validates its responses against its API document in tests. */
const request = async <Answer>(settings: MerchantSettings, path: string, init: RequestInit = {}): Promise<Answer> =>
  JSON.parse(await (await callApi(settings, path, init)).text());

function show(code: Code, { json }: Flags, terminal: Terminal): number {
  terminal.say(json === true ? JSON.stringify(code) : describe(code));
  return exit.done;
}

function describe({ code, status, shared, creator_name: owner, program_name: program, valid_until: until, orders }: Code): string {
  return apiMessage('cli_codes.line', {
    code,
    status,
    shared: shared ? apiMessage('cli_codes.shared') : '',
    until: until === null ? '' : apiMessage('cli_codes.until', { date: until }),
    owner,
    program,
    orders,
  });
}
