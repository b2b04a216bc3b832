import { sql, type Sql } from './sql.ts';

/** A `like` pattern that matches values with this prefix. Escapes `%`, `_` and the backslash. */
export const prefixPattern = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Whether a column contains the text, ignoring case. Reads every row, so it is for lists that are small in each store. The subquery lowers
 * the text once instead of for each row, which takes as long as comparing it, and `like` is faster than `strpos`.
 */
export const containsText = (column: Sql, text: string): Sql => containsLowered(sql`lower(${column})`, text);

/** The same for a text that is stored in lower case. */
export const containsLowered = (column: Sql, text: string): Sql => sql`${column} like (select lower(${`%${prefixPattern(text)}`}::text))`;
