/** A `like` pattern that matches values with this prefix. Escapes `%`, `_` and the backslash. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
