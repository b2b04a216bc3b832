import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { lintPostback } from '../../src/lint/lint.ts';
import type { SnippetValues } from '../../web/src/features/integration/snippets/snippet-values.ts';
import { languages } from '../../web/src/features/integration/snippets/languages.ts';
import { laterReports } from '../../web/src/features/integration/snippets/later-reports.ts';
import { scriptVariants } from '../../web/src/features/integration/snippets/script-tags.ts';
import { openMerchant } from '../support/merchant.ts';

const run = promisify(execFile);
const programMsMax = 40_000;

const merchant = await openMerchant();
const folder = await mkdtemp(join(tmpdir(), 'snippets-'));
// One test link for all languages: no more than five may be open.
const testClickId = (await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {})).json.click_id;
afterAll(async () => {
  await merchant.service.stop();
  await rm(folder, { recursive: true });
});

const isInstalled = (name: string): boolean => (env['PATH'] ?? '').split(delimiter).some((place) => existsSync(join(place, name)));

function factsNow(): SnippetValues {
  const { tracking_key: trackingKey, postback_key: key } = merchant.world.store;
  return { postbacksUrl: `${merchant.service.url}/api/partner-network/postbacks/${trackingKey}`, key, clickId: testClickId };
}

/** It is a package of its own on most machines. */
function phpHasCurl(): boolean {
  return spawnSync(programs['PHP']?.command ?? '', ['-r', "exit(function_exists('curl_init') ? 0 : 1);"]).status === 0;
}

/** How each is run, as its first line says. */
const programs: Readonly<Record<string, { readonly command: string; readonly file: string; readonly words: readonly string[] }>> = {
  curl: { command: 'bash', file: 'report.sh', words: [] },
  Node: { command: execPath, file: 'report-order.mjs', words: [] },
  Python: { command: 'python3', file: 'report_order.py', words: [] },
  PHP: { command: 'php', file: 'report_order.php', words: [] },
  Ruby: { command: 'ruby', file: 'report_order.rb', words: [] },
  Go: { command: 'go', file: 'report_order.go', words: ['run'] },
};

describe.each(languages)('$name', ({ name, snippet }) => {
  const program = programs[name];
  const needed = name === 'curl' ? 'curl' : (program?.command ?? '');

  const isThere = (existsSync(needed) || isInstalled(needed)) && (name !== 'PHP' || phpHasCurl());
  if (!isThere) process.stdout.write(`What runs ${name} is not on this machine: its snippet is not run.\n`);
  test.skipIf(!isThere)('the snippet, copied unchanged, reports a test order that is verified', async () => {
    const facts = factsNow();
    const text = snippet(facts, merchant.service.platform.clock.now());
    const file = join(folder, program?.file ?? '');
    await writeFile(file, text);
    const settings = { env: { ...env, POSTBACK_KEY: facts.key ?? '' }, timeout: programMsMax };
    const { stdout } = await run(program?.command ?? '', [...(program?.words ?? []), file], settings);
    expect(stdout).toContain('test_verified');
  });

  test('the snippet is filled with the store’s address, its click and its key, and has no key where none is known', () => {
    const facts = { postbacksUrl: 'https://partners.example/api/partner-network/postbacks/tk_1', key: 'pbk_secret', clickId: 'rmv_click' };
    const now = new Date('2026-03-01T12:00:00.000Z');
    for (const part of [`${facts.postbacksUrl}/conversions`, facts.key, facts.clickId]) expect(snippet(facts, now)).toContain(part);
    expect(snippet({ ...facts, key: null, clickId: null }, now)).toContain('pbk_…');
    expect(snippet(facts, now)).not.toMatch(/undefined|\[object/);
  });
});

test.each(laterReports)('the command for "$name" has no error that the linter reports', ({ name, snippet }) => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const clickId = `${name === 'Lead' ? 'rmc' : 'rmv'}_${'a'.repeat(43)}`;
  const postbacksUrl = 'https://partners.example/api/partner-network/postbacks/tk_1';
  const { faults: errors, warnings } = lintPostback({ operation: null, text: snippet({ postbacksUrl, key: 'pbk_1', clickId }, now), now });
  expect([errors, warnings]).toEqual([[], []]);
});

const hasCurl = isInstalled('curl');
test.skipIf(!hasCurl)('the commands for what comes after the order, copied as they stand, are accepted one after the other', async () => {
  const facts = factsNow();
  const now = merchant.service.platform.clock.now();
  const order = { order_id: 'the-same-as-in-the-order', click_id: facts.clickId, test: true };
  expect((await merchant.convert(await merchant.order(order))).json.reason).toBe('test_verified');
  const said: unknown[] = [];
  for (const { name, snippet } of laterReports) {
    // A lead has no test mode.
    const values = name === 'Lead' ? { ...facts, clickId: await merchant.click() } : facts;
    const { stdout } = await run('bash', ['-c', snippet(values, now)], { timeout: programMsMax });
    said.push(JSON.parse(stdout).reason);
  }
  expect(said).toEqual(Array.from({ length: laterReports.length }, () => 'recorded'));
});

test('the script’s variants say nothing but what the script reads', () => {
  const facts = { origin: 'https://partners.example', immutablePath: '/api/pn/sdk/v1.abc.js', integrity: 'sha384-x' };
  const texts = scriptVariants.map(({ code, note }) => code(facts) + note).join('\n');
  expect(new Set(texts.match(/data-rm-[a-z-]+/g))).toEqual(new Set(['data-rm-consent-mode', 'data-rm-max-age-days']));
  expect(new Set(texts.match(/[a-z-]+(?==(?:explicit|30))/g))).toEqual(new Set(['consent-mode', 'max-age-days']));
  expect(new Set(texts.match(/ServiceCapture\.\w+|grantConsent/g))).toEqual(new Set(['ServiceCapture.grantConsent', 'grantConsent']));
});
