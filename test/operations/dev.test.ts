import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { freePort } from '../support/main-process.ts';

const startMsMax = 45_000;

test('npm run dev serves the dashboards from their sources and the API of a seeded sandbox at one address, and restarts it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-dev-'));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, NODE_ENV: 'development' };
  const dev = spawn(process.execPath, ['scripts/dev.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(dev, 'exit');
  const lines: string[] = [];
  createInterface({ input: dev.stdout }).on('line', (line) => lines.push(line));
  const count = (start: string) => () => lines.filter((line) => line.startsWith(start)).length;
  try {
    await expect.poll(count('Tributary for development'), { timeout: startMsMax }).toBe(1);
    const origin = `http://localhost:${port}`;
    const types = await Promise.all(
      ['/', '/stores/x', '/src/app/main.tsx', '/openapi.json', '/readyz'].map(async (path) => {
        const response = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
        return [path, response.status, response.headers.get('content-type')?.split(';')[0]];
      }),
    );
    expect(types).toEqual([
      ['/', 200, 'text/html'],
      ['/stores/x', 200, 'text/html'],
      ['/src/app/main.tsx', 200, 'text/javascript'],
      ['/openapi.json', 200, 'application/json'],
      ['/readyz', 200, 'application/json'],
    ]);
    const [, email, password] = /merchant +(\S+) +(\S+)/.exec(lines.join('\n')) ?? [];
    const signIn = await fetch(`${origin}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email, password }),
    });
    expect(signIn.status).toBe(200);
    // As if an editor had saved it.
    utimesSync('src/app/server.ts', new Date(), new Date());
    await expect.poll(count('Service: ready'), { timeout: startMsMax }).toBeGreaterThan(1);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  } finally {
    dev.kill('SIGINT');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
});
