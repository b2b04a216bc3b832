import { parseArgs } from 'node:util';
import { closePlatform, flags, openBeside, type Command } from './cli-command.ts';
import { backup, distributing, doctor, resealing, restoring, tellVerified } from './cli-installation.ts';
import { eraseCustomerCommand, erasePerson, exportCustomer, exportPerson } from './cli-people.ts';
import { createOperator } from './people/operators.ts';
import { configFromEnvironment } from './platform/config.ts';
import { rebuildFigures } from './reports/rebuild-figures.ts';
import { seedHistory } from './seed-history.ts';
import { seedWorld } from './seed.ts';
import { verify } from './verify.ts';

const commands: Readonly<Record<string, Command>> = {
  seed: {
    usage: 'seed [--json] [--history]',
    does:
      'makes a fresh, separate world in the sandbox: stores, a program, a creator with a link, people who can sign in; ' +
      'with --history a year of visits, orders, invoices and payouts behind it',
    runs: 'beside',
    async run(platform, { json, history }) {
      if (platform.config.mode !== 'sandbox') throw new Error('the seed is for the sandbox; this service runs live');
      const world = await (history ? seedHistory(platform) : seedWorld(platform));
      console.log(json ? JSON.stringify(world) : JSON.stringify(world, null, 2));
    },
  },
  verify: {
    usage: 'verify',
    does: 'recomputes every balance and looks whether everything that must be true is; fails where something is not',
    runs: 'beside',
    run: async (platform) => tellVerified(await verify(platform)),
  },
  'rebuild-figures': {
    usage: 'rebuild-figures',
    does: "counts the dashboards' figures anew from the commissions; the service may be at work meanwhile",
    runs: 'beside',
    async run(platform) {
      console.log(`The figures of ${await rebuildFigures(platform)} stores were counted anew.`);
    },
  },
  'create-operator': {
    usage: 'create-operator --email you@example.com [--name "Your Name"]',
    does: 'makes an operator, or lets one in again: prints a link by which they choose a password',
    runs: 'beside',
    async run(platform, { email, name }) {
      if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('say whose: --email you@example.com');
      const { url } = await createOperator(platform, { email, name: name ?? email });
      console.log(`Open this link to choose a password; it works once, for 24 hours:\n${url}`);
    },
  },
  doctor,
  backup,
  restore: restoring,
  reseal: resealing,
  distribute: distributing,
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
  if (command === undefined) throw new Error(`there are these commands:\n${usage()}`);
  const result = configFromEnvironment();
  if (result.is === 'wrong') throw new Error(result.faults.join('\n'));
  if (command.runs === 'alone') return command.run(result.config, { words, ...values });
  const platform = await openBeside(result.config);
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
