import { Type as T } from 'typebox';

/** Text on one line without characters that control a terminal, a mail's header or the direction of writing. */
const plainText = String.raw`[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+$`;
const textPattern = String.raw`^(?=.*\S)${plainText}`;
/** A name stands in mails to strangers, so it is no web address. `Booking.com` is a name. */
const namePattern = String.raw`^(?=.*\S)(?!.*(?::\/\/|[wW]{3}\.|\p{L}\.\p{L}{2,}\/))${plainText}`;

export const nameField = (lengthMax: number) => T.String({ minLength: 1, maxLength: lengthMax, pattern: namePattern });
export const lineField = (lengthMax: number) => T.String({ minLength: 1, maxLength: lengthMax, pattern: textPattern });

/** What a person is told instead of the pattern. */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [namePattern, 'must be a name: not a web address, on one line, without control characters'],
  [textPattern, 'must be text on one line, without control characters'],
]);

/** A merchant's own id: compared exactly, never trimmed or folded. U+0000 and half characters are no text in any database. */
export const foreignIdField = () => T.String({ minLength: 1, maxLength: foreignIdLengthMax, pattern: String.raw`^[^\u0000\p{Cs}]+$` });
const foreignIdLengthMax = 500;

/**
 * Cents in an answer are a bigint from the database to the last byte: a sum may exceed 2^53, above which a number of JavaScript is off by
 * a cent. jsonText writes it digit by digit. test/money-exact.test.ts holds every answer to this.
 */
export const centsField = (description?: string) => T.BigInt(description === undefined ? {} : { description });

/** A single amount that is kept in JSON, such as a flat rate: the contract bounds it, so that a number of JavaScript holds it exactly. */
export const singleAmountField = () => T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const orNull = <Schema extends T.TSchema>(schema: Schema) => T.Union([schema, T.Null()]);

export const isoTime = (time: Date): string => time.toISOString();
export const isoTimeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
