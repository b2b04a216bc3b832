export const passwordLength = { least: 10, most: 200 } as const;
const differentLettersLeast = 5;

/**
 * Length is what makes a password good; rules about digits and signs only make people write it down. So besides its
 * length it must not be one letter over and over, nor the name that stands beside it when somebody signs in. Null: it is good.
 */
export function passwordFault(password: string, email: string): string | null {
  if (new Set(password).size < differentLettersLeast) return `has fewer than ${differentLettersLeast} different letters`;
  const lower = password.toLowerCase();
  const [localPart = ''] = email.split('@');
  if (lower === email || lower === localPart) return 'is your address';
  return null;
}
