import { apiMessage } from '../src/messages/api-message.ts';
import { callApi, exit, storePath, UsageError, type Command, type CommandContext, type Terminal } from './command.ts';

const options = ['[--version 3]', '[--from 2]', '[--without-own-rates]', '[--out terms.json]', '[--effective-from <time>]'].join(' ');
const how = `terms export | import <file|-> | diff [<file|->] --program prog_… ${options}`;

export const terms: Command = {
  usage: `${how} [--json]`,
  does: apiMessage('cli_terms.does'),
  async run(given, terminal) {
    const [action, path] = given.words;
    if (action === 'export') return exportTerms(given, terminal);
    if (action === 'diff') return path === undefined ? compareVersions(given, terminal) : compareFile(path, given, terminal);
    if (action === 'import' && path !== undefined) return importTerms(path, given, terminal);
    throw new UsageError(how);
  },
};

type Changes = {
  readonly from_version: number | null;
  readonly to_version: number;
  readonly effect: 'better' | 'worse' | 'depends' | null;
  readonly notice?: { readonly effective_from: string };
  readonly warnings: ReadonlyArray<{ readonly field: string; readonly message: string }>;
  readonly changes: ReadonlyArray<{ readonly effect: string; readonly text: string }>;
};

/** Without a file it prints the exported terms, so that they can be piped. */
async function exportTerms(given: CommandContext, terminal: Terminal): Promise<number> {
  const { version, out, 'without-own-rates': isWithoutOwnRates } = given.flags;
  const query = new URLSearchParams({
    ...(version !== undefined && { version: wholeNumber('version', version) }),
    ...(isWithoutOwnRates === true && { own_rates: 'false' }),
  });
  const file = JSON.stringify(await request<object>(given, `terms-file?${query.toString()}`), null, 2);
  if (out === undefined) {
    terminal.say(file);
    return exit.done;
  }
  await terminal.write(out, `${file}\n`);
  terminal.say(apiMessage('cli_terms.wrote', { file: out }));
  return exit.done;
}

async function compareVersions(given: CommandContext, terminal: Terminal): Promise<number> {
  const { from, version } = given.flags;
  const query = new URLSearchParams({
    ...(from !== undefined && { from: wholeNumber('from', from) }),
    ...(version !== undefined && { to: wholeNumber('version', version) }),
  });
  show(await request<Changes>(given, `terms-changes?${query.toString()}`), given, terminal);
  return exit.done;
}

async function compareFile(path: string, given: CommandContext, terminal: Terminal): Promise<number> {
  show(await preview(given, await readTerms(path, given, terminal)), given, terminal);
  return exit.done;
}

/** A file that changes nothing creates no version, so that a script can import the same file each time. */
async function importTerms(path: string, given: CommandContext, terminal: Terminal): Promise<number> {
  const body = await readTerms(path, given, terminal);
  const changes = await preview(given, body);
  if (given.flags.json !== true) show(changes, given, terminal);
  if (changes.changes.length === 0) {
    if (given.flags.json === true) terminal.say(JSON.stringify({ created: false, ...changes }));
    return exit.done;
  }
  const created = await request<{ readonly version: number; readonly effective_from: string }>(given, 'terms', {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const { version, effective_from: from } = created;
  terminal.say(
    given.flags.json === true
      ? JSON.stringify({ created: true, version, effective_from: from, changes })
      : apiMessage('cli_terms.created', { version, from }),
  );
  return exit.done;
}

const preview = (given: CommandContext, body: object): Promise<Changes> =>
  request<Changes>(given, 'terms-preview', { method: 'POST', body: JSON.stringify(body) });

/** The service validates the content. */
async function readTerms(path: string, { flags }: CommandContext, terminal: Terminal): Promise<object> {
  const body = parseObject(await terminal.read(path));
  if (body === null) throw new UsageError(apiMessage('cli_terms.not_a_file', { file: path }));
  const from = flags['effective-from'];
  return from === undefined ? body : { ...body, effective_from: from };
}

function parseObject(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function show(changes: Changes, { flags }: CommandContext, terminal: Terminal): void {
  if (flags.json === true) return terminal.say(JSON.stringify(changes));
  const { from_version: from, to_version: to, effect } = changes;
  terminal.say(
    from === null
      ? apiMessage('cli_terms.first', { to, effect: effect ?? 'other' })
      : apiMessage('cli_terms.compared', { from, to, effect: effect ?? 'other' }),
  );
  for (const { effect: of, text } of changes.changes) terminal.say(`${of.padEnd(effectWidth)}${text}`);
  for (const { field, message } of changes.warnings) terminal.say(`${'warning'.padEnd(effectWidth)}${field}: ${message}`);
  if (changes.notice !== undefined) terminal.say(apiMessage('cli_terms.notice', { from: changes.notice.effective_from }));
}

/** As wide as the longest word, with two spaces. */
const effectWidth = 'depends'.length + 2;

function wholeNumber(flag: string, text: string): string {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(apiMessage('cli_terms.must_be_a_version', { flag }));
  return text;
}

/** The service validates its responses against its API document in tests. */
async function request<Answer>({ settings, flags }: CommandContext, path: string, init: RequestInit = {}): Promise<Answer> {
  if (flags.program === undefined) throw new UsageError(apiMessage('cli_terms.name_the_program'));
  const program = `${storePath(settings)}/programs/${encodeURIComponent(flags.program)}`;
  return JSON.parse(await (await callApi(settings, `${program}/${path}`, init)).text());
}
