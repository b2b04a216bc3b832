import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { seedWorld } from '../src/commands/seed/seed.ts';
import type { Platform } from '../src/runtime/platform.ts';

type World = Awaited<ReturnType<typeof seedWorld>>;

const fileIn = (dataDir: string): string => join(dataDir, 'dev-world.json');

/** Seeds the sandbox once. The stored passwords open only the sandbox of this machine. */
export async function ensureWorld(platform: Platform, dataDir: string): Promise<void> {
  if (existsSync(fileIn(dataDir))) return;
  // Imported only here: most starts have a world.
  const { seedWorld } = await import('../src/commands/seed/seed.ts');
  writeFileSync(fileIn(dataDir), JSON.stringify(await seedWorld(platform), null, 2), { mode: 0o600 });
}

export const readWorld = (dataDir: string): World => JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as World;
