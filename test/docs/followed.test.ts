import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { startTestService, testSecretKey } from '../support/service.ts';
import { blocksOf, type Block } from './blocks.ts';
import { expectShown, runInOneShell } from './shell.ts';

/** Pages whose commands are run from top to bottom, each answer held against what the page shows below the command. */
const service = await startTestService();
const folder = await mkdtemp(join(tmpdir(), 'tributary-docs-'));
// `npm run` would look whether all is installed; what it runs then is this.
const npm = `#!/bin/sh\n[ "$*" = "run --silent seed -- --json" ] || exit 9\nexec '${execPath}' '${resolve('src/commands/tributary.ts')}' seed --json\n`;
await writeFile(join(folder, 'npm'), npm);
await chmod(join(folder, 'npm'), 0o755);
const settings: Readonly<Record<string, string>> = {
  PATH: `${folder}${delimiter}${env['PATH'] ?? ''}`,
  MODE: 'sandbox',
  BASE_URL: service.url,
  DATABASE_URL: service.databaseUrl,
  SECRET_KEY: testSecretKey.toString('base64'),
};
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const quickstart = blocksOf('docs/quickstart.md');
const world = quickstart.filter(({ section, language }) => section === 'Create test data' && language === 'sh');

const pages = [
  { page: 'docs/quickstart.md', before: [] },
  { page: 'docs/subscriptions.md', before: world },
  { page: 'docs/discount-codes.md', before: world },
] as const;

test.each(pages)('$page, followed step by step, has the documented results', async ({ page, before }) => {
  const blocks = [...before, ...blocksOf(page)].filter(({ text }) => text !== 'npm start');
  const commands = blocks.filter(({ language }) => language === 'sh');
  // The file of a world has a place of its own here: two tests may follow the page at once.
  const own = commands.map(({ text }) => text.replaceAll('/tmp/world.json', join(folder, `${blocks.length}.json`)));
  const printed = await runInOneShell(own, settings);
  const answers = blocks.filter(({ language }) => language === 'json');
  expect(answers.length).toBeGreaterThan(4);
  for (const answer of answers) expectShown(printed[commands.indexOf(commandAbove(blocks, answer))] ?? '', answer);
});

const commandAbove = (blocks: readonly Block[], answer: Block): Block => {
  const above = blocks[blocks.indexOf(answer) - 1];
  expect(above?.language, `the answer in "${answer.section}" follows its command`).toBe('sh');
  return above ?? answer;
};
