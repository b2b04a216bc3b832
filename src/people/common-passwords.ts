import { must } from '../platform/must.ts';

/**
 * The passwords that people choose most often, as lists of leaked ones count them; kept up to date by the package. It is loaded when
 * the first password is chosen: a process in which nobody chooses one does without its 5 MB.
 */
let known: ReadonlySet<string> | null = null;

export async function commonPasswords(): Promise<ReadonlySet<string>> {
  if (known !== null) return known;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const words = dictionary['passwords-common'];
  must(words.length > 0, 'the list of common passwords has some');
  known = new Set(words);
  return known;
}
