import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { env, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startEmbedded, type EmbeddedDatabase } from '../../src/embedded-postgres/start.ts';
import { dropDatabases } from './database.ts';
import { createRunFolder } from './run-folder.ts';
import { isHard } from './size.ts';

declare module 'vitest' {
  // Only an interface can be extended by declaration merging.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** Where test/support/database.ts gets the URL of a PostgreSQL on which tests may create databases. */
    databases: DatabaseSource;
    /** In the names of the run's databases. */
    run: string;
  }
}
export type DatabaseSource = { readonly url: string } | { readonly socket: string };

/** That of src/app/main.mjs. It halves the start of every process: of the workers, and of the commands that tests run. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/tributary', import.meta.url));

/**
 * One PostgreSQL for the whole run: the embedded one, as in production, or the server (15 to 18) that TEST_DATABASE_URL names, or the one
 * with Citus that CITUS_URL names, with the workers in CITUS_WORKERS (URLs with commas between them): there each test's database is
 * distributed (test/support/database.ts). The embedded one starts when the first test asks for it, because most unit tests need none.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  env['NODE_COMPILE_CACHE'] ??= compileCache;
  const folder = await createRunFolder();
  const run = randomBytes(4).toString('hex');
  provide('run', run);
  const external = env['CITUS_URL'] ?? env['TEST_DATABASE_URL'];
  if (external !== undefined && external !== '') {
    provide('databases', { url: external });
    return async () => {
      await dropDatabases(external, run);
      await folder.remove();
    };
  }
  let started: Promise<EmbeddedDatabase> | undefined;
  const server = createServer((asking) => {
    asking.on('error', () => {});
    started ??= startDatabase(join(folder.path, 'shared'));
    started.then(
      ({ url }) => asking.end(JSON.stringify({ url })),
      (error: unknown) => asking.end(JSON.stringify({ error: String(error) })),
    );
  });
  const socket = join(folder.path, 'ask');
  await once(server.listen(socket), 'listening');
  provide('databases', { socket });
  return async () => {
    server.close();
    await (await started?.catch(() => undefined))?.stop();
    await folder.remove();
  };
}

/** A process keeps the idle connections of the files that it ran before. */
const connectionsMax = 600;

// The tests that crash a database start their own, which is durable.
const startDatabase = (dataDir: string): Promise<EmbeddedDatabase> =>
  startEmbedded({ dataDir, isDurable: isHard, connectionsMax, log: (line) => stderr.write(`${line}\n`) });
