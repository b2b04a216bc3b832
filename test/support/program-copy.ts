import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** Copies what goes into the image, which is what runs: the files that .dockerignore admits, and links to the packages. */
export function copyProgram(folder: string): void {
  const allowed = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const goesIn = (path: string) => !path.endsWith('.test.ts') && !basename(path).startsWith('.env');
  for (const path of allowed) cpSync(path, join(folder, path), { recursive: true, filter: goesIn });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules').filter((each) => each !== '.cache'))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
}
