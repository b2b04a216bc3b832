import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, importsOf, lintKeys, shapeOf } from './lint-keys.ts';

/**
 * Lints the files whose findings may differ from those of the last run without errors, all of them at first: the rules that need types take
 * half a minute of CPU time for all files. `--all` lints all files, and so does a build server, which remembers nothing.
 */
const isForAll = process.argv.includes('--all') || process.env['CI'] === 'true';
const root = join(import.meta.dirname, '..');
const linter = join(root, 'node_modules', '.bin', 'oxlint');
const cacheFolder = join(root, 'node_modules', '.cache', 'check');
const cacheFile = join(cacheFolder, 'lint.json');
/** Keys of other branches are kept, so that switching branches does not lint everything. */
const keysMax = 20_000;
/** If a larger part of the files must be linted, the linter finds the files itself. */
const partMax = 0.5;

/** `shapes` has the shape of each text by the hash of the text. */
type Cache = { readonly good: readonly string[]; readonly shapes: Readonly<Record<string, string>> };

if (isForAll) process.exit(lint([]));

const paths = execFileSync(linter, ['--debug=files'], { cwd: root, encoding: 'utf8' }).trim().split('\n').toSorted();
const declarations = globSync('{src,web,sdk,cli,packages,test,scripts}/**/*.d.ts', { cwd: root, exclude: ['**/node_modules/**'] });
const settings = globSync(['package-lock.json', '.oxlintrc.json', '**/{package,tsconfig*}.json', 'scripts/lint*.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
});

const cache = readCache();
const texts = new Map<string, string | null>();
const read = (path: string): string | null => {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
  texts.set(path, text);
  return text;
};
/** To parse a file takes longer than everything else. */
const shapes: Record<string, string> = {};
const shapeHash = (path: string, text: string): string => {
  const hash = hashOf(path, text);
  return (shapes[hash] ??= cache.shapes[hash] ?? hashOf(shapeOf(path, text)));
};
const all = [...new Set([...paths, ...declarations])].toSorted();
const setting = hashOf(...settings.toSorted().map((path) => read(path) ?? ''));
const keys = lintKeys(all, setting, {
  read,
  imports: (path, text) => importsOf(path, text, (one) => read(one) !== null),
  shape: shapeHash,
});
const good = new Set(cache.good);
const changed = paths.filter((path) => !good.has(keys?.get(path) ?? ''));
const status = changed.length === 0 ? 0 : lint(changed.length > paths.length * partMax ? [] : changed);
if (status === 0 && keys !== null && changed.every(isAsRead))
  writeCache({ good: [...new Set([...keys.values(), ...cache.good])].slice(0, keysMax), shapes });
process.stdout.write(`${changed.length} of ${paths.length} files\n`);
process.exitCode = status;

/** Lints all files if none is given. */
function lint(files: readonly string[]): number {
  return spawnSync(linter, ['--deny-warnings', ...files], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** Whether the file is unchanged since its key was computed: otherwise the linter may have read another text. */
function isAsRead(path: string): boolean {
  const text = texts.get(path);
  return text === (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
}

function readCache(): Cache {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8')) as Cache;
  } catch {
    return { good: [], shapes: {} };
  }
}

/** Written beside and renamed: another check may run. */
function writeCache(made: Cache): void {
  mkdirSync(cacheFolder, { recursive: true });
  const draft = `${cacheFile}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(made));
  renameSync(draft, cacheFile);
}
