import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packs the package of a folder as npm would publish it and installs it into an empty project. Returns the project's folder. */
export async function installPacked(folder: string): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'tributary-package-'));
  const { stdout } = await run('npm', ['pack', resolve(folder), '--pack-destination', project, '--json', '--ignore-scripts']);
  const [{ filename }] = JSON.parse(stdout);
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await run('npm', ['install', join(project, filename), '--offline', '--no-audit', '--no-fund'], { cwd: project });
  return project;
}
