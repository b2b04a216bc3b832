/** For `like`: what begins with this text as it is written. `%`, `_` and the backslash would mean something else there. */
export const beginningWith = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;
