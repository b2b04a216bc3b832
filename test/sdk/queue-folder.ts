import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Creates an empty folder for a queue; it is removed after the tests of the file. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-queue-'));
  folders.push(folder);
  return folder;
}
