import { Type as T } from 'typebox';

/** A name that people read: some letters, and nothing that a terminal, a mail or a database would stumble over. */
export const nameField = (lengthMax: number) =>
  T.String({ minLength: 1, maxLength: lengthMax, pattern: String.raw`^(?=.*\S)[^\p{Cc}\p{Cs}]+$` });

/** A merchant's own id: compared exactly, never trimmed or folded. U+0000 and half characters are no text in any database. */
export const foreignIdField = () => T.String({ minLength: 1, maxLength: foreignIdLengthMax, pattern: String.raw`^[^\u0000\p{Cs}]+$` });
const foreignIdLengthMax = 500;

export const orNull = <Schema extends T.TSchema>(schema: Schema) => T.Union([schema, T.Null()]);

export const isoTime = (time: Date): string => time.toISOString();
export const isoTimeOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;
