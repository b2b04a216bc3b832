#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { argv, stdin } from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { configFromEnvironment, merchantFromEnvironment } from '../src/core/config.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { exit, flagOptions, settingMeanings, TemporaryError, UsageError, type Command, type Flags } from './command.ts';
import { codes } from './codes.ts';
import { collection } from './collection.ts';
import { doctor } from './doctor.ts';
import { lint } from './lint.ts';
import { reconcile } from './reconcile.ts';
import { replay } from './replay.ts';
import { send } from './send.ts';
import { tail } from './tail.ts';
import { terms } from './terms.ts';
import { verify } from './verify.ts';

/** The commands of a merchant's developer: over HTTP, with the keys of one store. */
const commands: Readonly<Record<string, Command>> = { send, verify, replay, tail, lint, doctor, reconcile, collection, codes, terms };

/** Uses the database of the service. Only an installation has this file; the npm package of the command line does not. */
const operatorProgram = fileURLToPath(new URL('../src/commands/tributary.ts', import.meta.url));
const operatorCommands: readonly string[] = [
  'seed',
  'create-operator',
  'rebuild-figures',
  'backup',
  'restore',
  'reseal',
  'distribute',
  'export-person',
  'erase-person',
  'export-customer',
  'erase-customer',
];

process.exitCode = await main(argv.slice(2)).catch((error: unknown) => {
  console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
  return error instanceof TemporaryError ? exit.later : exit.wrong;
});

async function main(given: readonly string[]): Promise<number> {
  const [name = '', ...rest] = given;
  // With a URL it checks a merchant's page, without one the installation.
  if (operatorCommands.includes(name) || (name === 'doctor' && rest.length === 0)) return runOperatorCommand(given);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`${apiMessage('cli_main.name_a_command')}\n${usage()}`);
  const { words, flags } = readArguments(rest, command);
  const config = configFromEnvironment();
  const outgoingAllow = config.is === 'good' ? config.config.outgoingAllow : [];
  const stop = new AbortController();
  if (command.stopsItself) process.once('SIGINT', () => stop.abort());
  return command.run(
    { words, flags, settings: merchantFromEnvironment(), outgoingAllow },
    {
      say: (line) => console.log(line),
      read: (path) => (path === '-' ? text(stdin) : readFile(path, 'utf8')),
      write: (path, content) => writeFile(path, content, { mode: 0o600 }),
      append: (path, content) => appendFile(path, content, { mode: 0o600 }),
      signal: stop.signal,
    },
  );
}

function readArguments(args: readonly string[], { usage: how }: Command): { readonly words: readonly string[]; readonly flags: Flags } {
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: flagOptions });
    return { words: positionals, flags: values };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n  ${how}`);
  }
}

async function runOperatorCommand(given: readonly string[]): Promise<number> {
  if (!isInstallation()) throw new UsageError(apiMessage('cli_main.run_in_installation', { command: given.join(' ') }));
  const child = spawn(process.execPath, [operatorProgram, ...given], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : exit.wrong;
}

function isInstallation(): boolean {
  return existsSync(operatorProgram);
}

function usage(): string {
  const lines = Object.values(commands).map(({ usage: words, does }) => `  ${words}\n      ${does}`);
  const settings = Object.entries(settingMeanings).map(([name, means]) => `  ${name}: ${means}`);
  return [
    ...lines,
    ...(isInstallation() ? [`  ${operatorCommands.join(', ')}\n      ${apiMessage('cli_main.for_the_operator')}`] : []),
    '',
    apiMessage('cli_main.environment_variables'),
    ...settings,
    `  OUTGOING_ALLOW: ${apiMessage('cli_main.outgoing_allow')}`,
  ].join('\n');
}
