import { execFile } from 'node:child_process';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { leaveIfPassed, openFileStore } from '../../sdk/src/file-store.ts';
import { newFolder } from './queue-folder.ts';

async function leftLocked(folder: string, number: number): Promise<void> {
  await writeFile(join(folder, `lock.${number}`), '1');
  await utimes(join(folder, `lock.${number}`), new Date(0), new Date(0));
}

test('of several processes that start concurrently on a stale folder, one gets the lock', async () => {
  const script = `
    const { openFileStore } = await import('${new URL('../../sdk/src/file-store.ts', import.meta.url).href}');
    const [at, ...folders] = process.argv.slice(1);
    const has = [];
    for (const [round, folder] of folders.entries()) {
      while (Date.now() < Number(at) + round * 50);
      await openFileStore(folder).then(() => has.push(folder), () => undefined);
    }
    console.log(JSON.stringify(has));
    setTimeout(() => {}, 2_000);`;
  const theirs = await Promise.all(Array.from({ length: 60 }, newFolder));
  for (const folder of theirs) await leftLocked(folder, 7);
  const args = ['--input-type=module', '--eval', script, String(Date.now() + 2_000), ...theirs];
  const said = await Promise.all(Array.from({ length: 5 }, () => promisify(execFile)(process.execPath, args)));
  expect(said.flatMap(({ stdout }): string[] => JSON.parse(stdout)).toSorted()).toEqual(theirs.toSorted());
});

test('takes over the folder of a process with a reused process ID, or of one that no longer updates its file', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'lock.1'), String(process.pid));
  const first = await openFileStore(folder);
  await expect(openFileStore(folder)).rejects.toThrow('uses this folder already');
  await first.close();
  await writeFile(join(folder, 'lock.3'), String(process.ppid));
  await expect(openFileStore(folder)).rejects.toThrow('uses this folder already');
  await utimes(join(folder, 'lock.3'), new Date(0), new Date(0));
  await (await openFileStore(folder)).close();
});

test('a process that finds its number free again because a later one has the folder releases it', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'lock.8'), '1');
  await writeFile(join(folder, 'lock.9'), '1');
  await expect(leaveIfPassed(folder, 8)).rejects.toThrow('taken over');
  expect(await readdir(folder)).toEqual(['lock.9']);
});

test('a folder with an unreadable report is unlocked again, also for the same process', async () => {
  const folder = await newFolder();
  const broken = join(folder, `${'0'.repeat(64)}.json`);
  await writeFile(broken, '{}');
  await expect(openFileStore(folder)).rejects.toThrow('cannot be read');
  await rm(broken);
  await (await openFileStore(folder)).close();
});

test('a process whose folder was taken over while it was suspended sends nothing more', async () => {
  const folder = await newFolder();
  const store = await openFileStore(folder);
  await rm(join(folder, 'lock.1'));
  await expect
    .poll(
      () =>
        store.take({ now: new Date(), leaseMs: 1, most: 1 }).then(
          () => 'taken',
          () => 'refused',
        ),
      { timeout: 10_000 },
    )
    .toBe('refused');
  await store.close();
});
