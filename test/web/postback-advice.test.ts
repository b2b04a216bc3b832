import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { reasons } from '../../src/contract/reasons.ts';
import catalog from '../../locales/en/tracking.json' with { type: 'json' };
import { logLineCurl } from '../../web/src/features/tracking/tracking-api.ts';

const { postback_advice: postbackAdvice } = catalog;

test('every reason of a postback has advice, and no other has', () => {
  expect(Object.keys(postbackAdvice)).toEqual(Object.keys(reasons));
});

test.each(Object.entries(postbackAdvice))('the advice for %s is a full sentence that does not repeat the reason', (reason, advice) => {
  expect(advice).toMatch(/^[A-Z].{10,}\.$/s);
  expect(advice).not.toContain(reason);
});

test('the command sends exactly the body, whatever it contains', () => {
  for (const body of ['{"order_id":"it\'s $HOME `id` \\"x\\" !"}', "''", 'line\nbreak', '\\', '']) {
    const command = logLineCurl({ origin: 'https://x.example', trackingKey: 'tk_1', operation: 'conversion', body });
    const said = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; POSTBACK_KEY=k; ${command}`]).toString('utf8');
    expect(said.split('\0').slice(0, -1)).toEqual([
      'https://x.example/api/partner-network/postbacks/tk_1/conversions',
      '-H',
      'Authorization: Bearer k',
      '-H',
      'Content-Type: application/json',
      '--data-binary',
      body,
    ]);
  }
});
