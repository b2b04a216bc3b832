import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { env } from 'node:process';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Block } from './blocks.ts';

const between = '---next-block---';

/** Runs a page's shell blocks in one shell, in order, as a reader would; returns the output of each. */
export async function runInOneShell(commands: readonly string[], settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const script = ['set -euo pipefail', ...commands.map((command) => `${command}\necho\necho '${between}'`)].join('\n');
  const child = spawn('bash', ['-c', script], { env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code, errors, after: code === 0 ? '' : out }).toEqual({ code: 0, errors: '', after: '' });
  return out
    .split(`${between}\n`)
    .slice(0, -1)
    .map((printed) => printed.trim());
}

/** The documented output must be in the last printed line; `…` matches the rest of a text. */
export function expectShown(printed: string, shown: Block): void {
  const last = printed.slice(printed.lastIndexOf('\n') + 1);
  expect(JSON.parse(last), shown.section).toMatchObject(loosely(JSON.parse(shown.text)));
}

function loosely(shown: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(shown), (_key, value: unknown) =>
    typeof value === 'string' && value.endsWith('…') ? expect.stringMatching(new RegExp(`^${value.slice(0, -1)}`)) : value,
  );
}
