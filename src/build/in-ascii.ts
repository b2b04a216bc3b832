import { invariant } from '../core/invariant.ts';

/**
 * The same program with all other characters escaped. Node reads an ASCII file as it is; for a single other character it converts the
 * whole file to UTF-16, which takes twice the memory.
 */
export function inAscii(code: string): string {
  invariant(!/\.raw`[^`]*[^\0-\x7f]/.test(code), 'String.raw reads ASCII only, because it would return the escapes');
  return code.replace(/\\[^]|[^\0-\x7f]/g, (found) => {
    const character = found.replace(/^\\(?=[^])/, '');
    return character > '\x7f' ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : found;
  });
}
