import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { affectedFiles, type Texts } from './lint-changes.ts';

/**
 * Checks the types of all files and lints them: first all, and then those whose findings may differ from those of the last run without
 * errors. `--all` checks all files, and so does a build server, which remembers nothing. The linter contains the compiler: a type that one
 * of them needs is computed once for both.
 */
const isForAll = process.argv.includes('--all') || process.env['CI'] === 'true';
const root = join(import.meta.dirname, '..');
const linter = join(root, 'node_modules', '.bin', 'oxlint');
const cacheFolder = join(root, 'node_modules', '.cache', 'check');
const cacheFile = join(cacheFolder, 'lint.json');
/**
 * Each group is a run of its own, at the same time as the others. Most of the time goes to the service and its tests. The packages that the
 * plugins import are not installed here.
 */
const groups: ReadonlyArray<{ readonly pattern: RegExp; readonly hasTypes: boolean }> = [
  { pattern: /^(?!(?:web|sdk|packages)\/)/, hasTypes: true },
  { pattern: /^(?:web|sdk)\//, hasTypes: true },
  { pattern: /^packages\//, hasTypes: false },
];

/** What the last run without errors read: the settings and the files. */
type Run = { readonly settings: Texts; readonly files: Texts };

const paths = execFileSync(linter, ['--debug=files'], { cwd: root, encoding: 'utf8' }).trim().split('\n').toSorted();
const now = readRun();
const before = isForAll ? null : lastGoodRun();
const affected = before === null ? new Set(paths) : affectedFiles(before.files, now.files);
const changed = paths.filter((path) => affected.has(path));
const status = await lint(changed);
if (!isForAll && status === 0 && isAsRead()) writeCache();
process.stdout.write(`${changed.length} of ${paths.length} files\n`);
process.exitCode = status;

async function lint(files: readonly string[]): Promise<number> {
  const parts = groups.map(({ pattern, hasTypes }) => ({ hasTypes, some: files.filter((file) => pattern.test(file)) }));
  const statuses = await Promise.all(parts.filter(({ some }) => some.length > 0).map(({ some, hasTypes }) => lintGroup(some, hasTypes)));
  return Math.max(0, ...statuses);
}

/** Each file is linted with the checker that has computed its types, which is not the default. */
function lintGroup(files: readonly string[], hasTypes: boolean): Promise<number> {
  const options = ['--deny-warnings', '--threads=1', ...(hasTypes ? ['--type-check'] : [])];
  const env = { OXLINT_TSGOLINT_CHECKER_SCHEDULING: 'affinity', ...process.env };
  const child = spawn(linter, [...options, ...files], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(chunks));
      resolve(code ?? 1);
    });
  });
}

/** The files of the linter, and all others that its findings depend on. */
function readRun(): Run {
  const folders = '{src,web,sdk,cli,packages,test,scripts,locales,bench,demo}';
  const others = globSync([`${folders}/**/*.d.ts`, `${folders}/**/*.json`], { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] });
  const settings = globSync(['package-lock.json', '.oxlintrc.json', '**/{package,tsconfig*}.json', 'scripts/lint*.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  return { settings: textsOf(settings), files: textsOf([...paths, ...others]) };
}

function textsOf(files: readonly string[]): Texts {
  return new Map([...new Set(files)].toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Whether all files are unchanged since they were read: otherwise the linter may have read other texts. */
function isAsRead(): boolean {
  return [...now.settings, ...now.files].every(
    ([file, text]) => existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === text,
  );
}

/** Null if there was none with these settings. */
function lastGoodRun(): Run | null {
  try {
    const { settings, files } = JSON.parse(readFileSync(cacheFile, 'utf8')) as { settings: [string, string][]; files: [string, string][] };
    return JSON.stringify(settings) === JSON.stringify([...now.settings]) ? { settings: now.settings, files: new Map(files) } : null;
  } catch {
    return null;
  }
}

/** Written beside and renamed: another check may run. */
function writeCache(): void {
  mkdirSync(cacheFolder, { recursive: true });
  const draft = `${cacheFile}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ settings: [...now.settings], files: [...now.files] }));
  renameSync(draft, cacheFile);
}
