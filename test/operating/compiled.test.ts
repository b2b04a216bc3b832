import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { freePort, startMain } from '../support/main-process.ts';

test('what a start compiled is kept as soon as it is ready, not only at an end in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-compiled-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { url } = await freshDatabase();
  const service = await startMain(await freePort(), { DATABASE_URL: url, NODE_COMPILE_CACHE: folder });
  await expect.poll(async () => (await readdir(folder, { recursive: true })).length).toBeGreaterThan(300);
  await service.kill();
});
