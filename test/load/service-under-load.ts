import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { Merchant } from '../support/merchant.ts';
import { merchantOfMain } from '../support/merchant-of-process.ts';
import type { Job, Sent, LoadStore } from './sender.ts';

/** The service, its database and the clients as separate processes, as in production. */
export type UnderLoad = {
  readonly merchant: Merchant;
  readonly send: (how: Job['how'], seconds: number) => Promise<Sent>;
  readonly memoryMb: () => number;
};

const kilobytes = 1_024;
const senderFile = fileURLToPath(new URL('sender.ts', import.meta.url));

export async function serviceUnderLoad(): Promise<UnderLoad> {
  const { merchant, main, port } = await merchantOfMain();
  const store = await findStore(merchant);
  let runs = 0;
  return {
    merchant,
    send: (how, seconds) => send({ port, seconds, store, run: `run ${(runs += 1)}`, how }),
    memoryMb: () => Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(main.pid)], { encoding: 'utf8' })) / kilobytes),
  };
}

async function findStore({ service, world, database }: Merchant): Promise<LoadStore> {
  const ring = await openKeyRing(service.platform);
  ring.close();
  const signingKey = ring.keys().at(-1)?.key.export().toString('hex');
  invariant(signingKey !== undefined, 'the service has created its first key');
  const { linkNumber } = await database.one<{ linkNumber: bigint }>(
    sql`select link_number from link_codes where code = ${world.link.code}`,
  );
  const { tracking_key: trackingKey, postback_key: postbackKey } = world.store;
  return { trackingKey, postbackKey, linkNumber: linkNumber.toString(), signingKey };
}

async function send(job: Job): Promise<Sent> {
  const child = fork(senderFile, { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send(job);
  // The output is typed by the file that the process runs.
  const [sent]: readonly Sent[] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  invariant(sent !== undefined, 'a sender reports before it ends');
  return sent;
}
