import { parseArgs } from 'node:util';
import { createOperator } from './people/operators.ts';
import { configFromEnvironment, type Config } from './platform/config.ts';
import { findEmbedded } from './platform/database/embedded.ts';
import { publicId } from './platform/ids.ts';
import { createLog } from './platform/log.ts';
import type { Platform } from './platform/platform.ts';
import { secretKeyOf } from './platform/secrets.ts';
import { keepMoneyApart } from './providers/keep-apart.ts';
import { rebuildFigures } from './reports/rebuild-figures.ts';
import { seedHistory } from './seed-history.ts';
import { seedWorld } from './seed.ts';
import { openPlatform } from './service.ts';
import { verify } from './verify.ts';

/** What can be done from the command line of the machine, beside a running service and with the same environment. */
type Command = { readonly usage: string; readonly does: string; readonly run: (platform: Platform, words: Words) => Promise<void> };
type Words = { readonly json: boolean; readonly history: boolean; readonly email: string | undefined; readonly name: string | undefined };

const commands: Readonly<Record<string, Command>> = {
  seed: {
    usage: 'seed [--json] [--history]',
    does:
      'makes a fresh, separate world in the sandbox: stores, a program, a creator with a link, people who can sign in; ' +
      'with --history a year of visits, orders, invoices and payouts behind it',
    async run(platform, { json, history }) {
      if (platform.config.mode !== 'sandbox') throw new Error('the seed is for the sandbox; this service runs live');
      const world = await (history ? seedHistory(platform) : seedWorld(platform));
      console.log(json ? JSON.stringify(world) : JSON.stringify(world, null, 2));
    },
  },
  verify: {
    usage: 'verify',
    does: 'recomputes every balance and looks whether everything that must be true is; fails where something is not',
    async run(platform) {
      const results = await verify(platform);
      for (const { what, rows, differences } of results) {
        console.log(`${differences.length === 0 ? 'good ' : 'WRONG'} ${what} (${rows} rows)`);
        for (const { storeId, detail } of differences) console.log(`      ${publicId('store', storeId)}: ${detail}`);
      }
      if (results.some(({ differences }) => differences.length > 0)) process.exitCode = 1;
    },
  },
  'rebuild-figures': {
    usage: 'rebuild-figures',
    does: "counts the dashboards' figures anew from the commissions; the service may be at work meanwhile",
    async run(platform) {
      console.log(`The figures of ${await rebuildFigures(platform)} stores were counted anew.`);
    },
  },
  'create-operator': {
    usage: 'create-operator --email you@example.com [--name "Your Name"]',
    does: 'makes an operator, or lets one in again: prints a link by which they choose a password',
    async run(platform, { email, name }) {
      if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error('say whose: --email you@example.com');
      const { url } = await createOperator(platform, { email, name: name ?? email });
      console.log(`Open this link to choose a password; it works once, for 24 hours:\n${url}`);
    },
  },
};

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});

async function main(given: readonly string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      history: { type: 'boolean', default: false },
      email: { type: 'string' },
      name: { type: 'string' },
    },
  });
  const command = commands[positionals[0] ?? ''];
  if (command === undefined) throw new Error(`there are these commands:\n${usage()}`);
  const result = configFromEnvironment();
  if (result.is === 'wrong') throw new Error(result.faults.join('\n'));
  const platform = await openBeside(result.config);
  try {
    await keepMoneyApart(platform);
    await platform.clock.refresh();
    await command.run(platform, { json: values.json, history: values.history, email: values.email, name: values.name });
  } finally {
    await platform.notices.close();
    await platform.nightDatabase.end();
    await platform.database.end();
  }
}

const usage = (): string =>
  Object.values(commands)
    .map(({ usage: words, does }) => `  ${words}\n      ${does}`)
    .join('\n');

/** The database that the running service uses. The embedded one is only there while the service runs. */
async function openBeside(config: Config): Promise<Platform> {
  const databaseUrl = config.databaseUrl ?? (await findEmbedded(config.dataDir))?.url;
  if (databaseUrl === undefined) throw new Error('the service is not running here; start it with npm start, then try again');
  const secretKey = config.secretKey ?? (await secretKeyOf(config.dataDir));
  return openPlatform({ config, databaseUrl, secretKey, log: createLog('warn') });
}
