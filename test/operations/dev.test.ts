import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { freePort } from '../support/main-process.ts';

test('npm run dev serves the dashboards from their sources and the API of a seeded sandbox at one address', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-dev-'));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, NODE_ENV: 'development' };
  const dev = spawn(process.execPath, ['scripts/dev.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(dev, 'exit');
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: dev.stdout })) {
      lines.push(line);
      if (line.startsWith('Tributary for development')) break;
    }
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
  } finally {
    dev.kill('SIGINT');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
});
