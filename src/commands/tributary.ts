import { parseArgs } from 'node:util';
import { closePlatform, flags, openPlatformForCommand, type Command } from './command.ts';
import { backup, distributeCommand, doctor, resealCommand, restoreCommand, printVerification } from './installation.ts';
import { eraseCustomerCommand, erasePerson, exportCustomer, exportPerson } from './people.ts';
import { createOperator } from '../people/operators.ts';
import { configFromEnvironment } from '../core/config.ts';
import { rebuildRollups } from '../reports/rebuild-rollups.ts';
import { seedHistory } from './seed/history.ts';
import { seedWorld } from './seed/seed.ts';
import { verify } from '../app/verify.ts';

const commands: Readonly<Record<string, Command>> = {
  seed: {
    usage: 'seed [--json] [--history]',
    does:
      'adds a separate set of sample data to the sandbox: stores, a program, a creator with a link, and accounts to sign in with; ' +
      '--history adds a year of visits, orders, invoices, and payouts',
    runs: 'beside',
    async run(platform, { json, history }) {
      if (platform.config.mode !== 'sandbox') throw new Error('seed works in the sandbox only, and this service is in live mode');
      const world = await (history ? seedHistory(platform) : seedWorld(platform));
      console.log(json ? JSON.stringify(world) : JSON.stringify(world, null, 2));
    },
  },
  verify: {
    usage: 'verify',
    does: 'recomputes every balance and checks all invariants; fails if it finds a difference',
    runs: 'beside',
    run: async (platform) => printVerification(await verify(platform)),
  },
  'rebuild-figures': {
    usage: 'rebuild-figures',
    does: 'recomputes the totals of the dashboards from the commissions, while the service runs',
    runs: 'beside',
    async run(platform) {
      console.log(`Recomputed the totals of ${await rebuildRollups(platform)} stores.`);
    },
  },
  'create-operator': {
    usage: 'create-operator --email you@example.com [--name "Your Name"]',
    does: 'creates an operator, or restores their access: prints a link for choosing a password',
    runs: 'beside',
    async run(platform, { email, name }) {
      if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('name the person: --email you@example.com');
      const { url } = await createOperator(platform, { email, name: name ?? email });
      console.log(`Open this link to choose a password; it works once, for 24 hours:\n${url}`);
    },
  },
  doctor,
  backup,
  restore: restoreCommand,
  reseal: resealCommand,
  distribute: distributeCommand,
  'export-person': exportPerson,
  'erase-person': erasePerson,
  'export-customer': exportCustomer,
  'erase-customer': eraseCustomerCommand,
};

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function main(given: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args: [...given], allowPositionals: true, options: flags });
  const [name = '', ...words] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Error(`name a command:\n${usage()}`);
  const result = configFromEnvironment();
  if (result.is === 'wrong') throw new Error(result.errors.join('\n'));
  if (command.runs === 'alone') return command.run(result.config, { words, ...values });
  const platform = await openPlatformForCommand(result.config);
  try {
    await command.run(platform, { words, ...values });
  } finally {
    await closePlatform(platform);
  }
}

const usage = (): string =>
  Object.values(commands)
    .map(({ usage: words, does }) => `  ${words}\n      ${does}`)
    .join('\n');
