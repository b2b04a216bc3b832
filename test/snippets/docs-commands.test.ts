import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { flagOptions } from '../../cli/command.ts';
import { openSharedMerchant } from '../support/merchant.ts';

// What the pages beside the code tell people to type.
const run = promisify(execFile);
const merchant = await openSharedMerchant();

const scripts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
const pages = ['README.md', 'docs/command-line.md', 'CONTRIBUTING.md'] as const;

test.each(pages)('every npm command that %s names exists', (page) => {
  const text = readFileSync(page, 'utf8');
  const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?)?([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
  const ofNpm = ['install', 'ci', 'start', 'test', 'pack'];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !ofNpm.includes(name) && scripts[name] === undefined)).toEqual([]);
  expect(['start', 'test'].filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('docs/command-line.md describes every command and its variables', async () => {
  const page = readFileSync('docs/command-line.md', 'utf8');
  const listed: unknown = await run(process.execPath, ['cli/main.ts']).then(
    () => '',
    (error: { readonly stderr: string }) => error.stderr,
  );
  const commands = [...String(listed).matchAll(/^ {2}([a-z][a-z-]*(?:, [a-z-]+)*)(?: [<[].*)?$/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  const variables = [...String(listed).matchAll(/^ {2}(TRIBUTARY_\w+):/gm)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(8);
  expect(variables).toHaveLength(5);
  expect(commands.filter((name) => !new RegExp(`\`${name}[\` ]`).test(page))).toEqual([]);
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/command-line.md lists exactly the options that each command has', async () => {
  const page = readFileSync('docs/command-line.md', 'utf8');
  const listed = await run(process.execPath, ['cli/main.ts']).then(
    () => '',
    ({ stderr }: { readonly stderr: string }) => stderr,
  );
  const shown = new Set([...listed.matchAll(/ \[?--([a-z-]+)/g)].map(([, name = '']) => name));
  expect([...shown].toSorted()).toEqual(Object.keys(flagOptions).toSorted());
  expect([...shown].filter((name) => !new RegExp(`^\\| [^|]*\`--${name}[\` ]`, 'm').test(page))).toEqual([]);
});

test('the command of docs/webhooks.md, copied unchanged, creates an endpoint and prints its secret', async () => {
  const command = /```sh\n([^]*?)```/.exec(readFileSync('docs/webhooks.md', 'utf8'))?.[1] ?? '';
  const { world, service } = merchant;
  const settings = { TRIBUTARY_URL: service.url, TRIBUTARY_STORE: world.store.id, TRIBUTARY_API_KEY: world.operator_key };
  const { stdout } = await run('bash', ['-c', command], { env: { ...env, ...settings } });
  expect(JSON.parse(stdout)).toMatchObject({ is_enabled: true, secret: expect.stringMatching(/^whsec_/) });
});
