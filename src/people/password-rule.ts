export const passwordLength = { least: 10, most: 200 } as const;
const differentLettersLeast = 5;

/** What a password must hold besides a common word, or besides what everybody knows of the account. */
const ownLettersLeast = 6;

export type PasswordFacts = {
  readonly email: string;
  readonly name: string;
  readonly common: ReadonlySet<string>;
};

/**
 * Length is what makes a password good; rules about digits and signs only make people write it down. So besides its length it must
 * not be one letter over and over, one that many people use, or what anybody knows of the account. Null: it is good.
 */
export function passwordFault(password: string, { email, name, common }: PasswordFacts): string | null {
  if (new Set(password).size < differentLettersLeast) return `has fewer than ${differentLettersLeast} different letters`;
  const lower = password.normalize('NFKC').toLowerCase();
  if (isCommon(lower, common)) return 'is one of the passwords that are tried first; choose several words in a row';
  const [localPart = '', domain = ''] = email.toLowerCase().split('@');
  if (isLittleMoreThan(lower, [email.toLowerCase(), localPart, domain])) return 'is your address';
  return isLittleMoreThan(lower, [name.normalize('NFKC').toLowerCase()]) ? 'is your name' : null;
}

/** Also with digits and signs around it, which are what people add first: `Password2024!`. */
function isCommon(lower: string, common: ReadonlySet<string>): boolean {
  const core = lower.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return common.has(lower) || (lower.length - core.length < ownLettersLeast && common.has(core));
}

function isLittleMoreThan(lower: string, words: readonly string[]): boolean {
  const compact = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
  return words.some((word) => {
    if (lower === word) return true;
    const known = compact(word);
    return known.length >= ownLettersLeast && compact(lower).replace(known, '').length < ownLettersLeast && compact(lower).includes(known);
  });
}
