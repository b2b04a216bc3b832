import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Packaged = { readonly scripts: { readonly start: string } };
const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as Packaged;

/**
 * The arguments that `npm start` gives Node: its flags, and the file. The systemd unit and the image give the same
 * (test/operations/packaging.test.ts).
 */
export const startArguments: readonly string[] = scripts.start.split(' ').slice('exec sh scripts/run'.split(' ').length);
export const startFlags: readonly string[] = startArguments.filter((argument) => argument.startsWith('--'));
