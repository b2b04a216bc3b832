import { Type as T } from 'typebox';

/** Text on one line without characters that control a terminal, an email header or the writing direction. */
const plainText = String.raw`[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+$`;
const textPattern = String.raw`^(?=.*\S)${plainText}`;
/** Names appear in emails to strangers, so they must not be web addresses. `Booking.com` is a name. */
const namePattern = String.raw`^(?=.*\S)(?!.*(?::\/\/|[wW]{3}\.|\p{L}\.\p{L}{2,}\/))${plainText}`;

export const nameField = (lengthMax: number) => T.String({ minLength: 1, maxLength: lengthMax, pattern: namePattern });
export const lineField = (lengthMax: number) => T.String({ minLength: 1, maxLength: lengthMax, pattern: textPattern });

/** Text of several lines. Databases cannot store U+0000 and unpaired surrogates. */
export const textField = (lengthMax: number, lengthMin = 1) =>
  T.String({ minLength: lengthMin, maxLength: lengthMax, pattern: String.raw`^[^\u0000\p{Cs}]*$` });

/** Error messages for patterns. */
export const patternMessages: ReadonlyMap<string, string> = new Map([
  [namePattern, 'must be a name on one line, without URLs or control characters'],
  [textPattern, 'must be text on one line, without control characters'],
]);

/** One of our IDs, such as `store_…`. */
export const idField = (options: { readonly description?: string } = {}) => T.String({ maxLength: 40, ...options });

/** An ID of the merchant: compared exactly, never trimmed or case-folded. Databases cannot store U+0000 and unpaired surrogates. */
export const externalIdField = () => T.String({ minLength: 1, maxLength: externalIdLengthMax, pattern: String.raw`^[^\u0000\p{Cs}]+$` });
const externalIdLengthMax = 500;

/** The text of a search over several lists. One character would match nearly every row. */
export const searchText = (description: string, lengthMax = 100) => searchString(2, lengthMax, description);
export const searchField = (description: string, lengthMax = 100) => T.Optional(searchString(1, lengthMax, description));
const searchString = (minLength: number, maxLength: number, description: string) =>
  T.String({ minLength, maxLength, pattern: String.raw`^[^\u0000\p{Cs}]+$`, description });

/**
 * Cents in a response are a bigint from the database to the last byte: a sum may exceed 2^53, above which a JavaScript number is not
 * exact. jsonText writes all digits. test/api/exact-money.test.ts verifies it for every response.
 */
export const centsField = (description?: string) => T.BigInt(description === undefined ? {} : { description });

/** A single amount that is stored as JSON, such as a flat rate. The contract limits it, so that a JavaScript number is exact. */
export const singleAmountField = () => T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const orNull = <Schema extends T.TSchema>(schema: Schema) => T.Union([schema, T.Null()]);

/** An object of responses that clients know by name: `components.schemas` of the OpenAPI document holds it once. */
export const namedObject = <Properties extends T.TProperties>(name: string, properties: Properties) =>
  T.Object(properties, { title: name });

export const isoTime = (time: Date): string => time.toISOString();
export const isoTimeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
