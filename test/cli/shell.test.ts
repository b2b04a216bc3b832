import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openSharedMerchant } from '../support/merchant.ts';

const merchant = await openSharedMerchant();

test('from a shell: keys come from the environment, commands are listed, and no key is printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-cli-'));
  const body = JSON.stringify(await merchant.order({ order_id: 'from a shell' }));
  await writeFile(join(folder, 'order.json'), body);
  const { tracking_key, postback_key } = merchant.world.store;
  const settings = {
    ...env,
    TRIBUTARY_URL: merchant.service.url,
    TRIBUTARY_TRACKING_KEY: tracking_key,
    TRIBUTARY_POSTBACK_KEY: postback_key,
  };
  const run = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, ['cli/main.ts', ...words], { env: settings }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
        code: error.code,
        out: error.stdout + error.stderr,
      }),
    );
  try {
    expect(await run('send', 'conversion', join(folder, 'order.json'))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^good {2}200 recorded/),
    });
    expect(await run('send', 'reversal', join(folder, 'order.json'))).toMatchObject({ code: 0 });
    const shown = [await run(), await run('nothing'), await run('tail'), await run('send', '--what')];
    expect(shown.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(shown[0]?.out).toMatch(
      /send <operation>.*verify.*replay.*tail.*lint.*doctor.*reconcile.*create-operator.*TRIBUTARY_POSTBACK_KEY/s,
    );
    expect(shown[2]?.out).toBe("tributary: set TRIBUTARY_STORE: the store's ID, store_…\n");
    expect(shown.filter(({ out }) => out.includes(postback_key))).toEqual([]);
    expect(await readFile('package.json', 'utf8')).toContain('"cli": "exec sh scripts/run cli/main.ts"');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
