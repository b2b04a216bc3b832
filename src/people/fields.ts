import { Type as T, type TSchema } from 'typebox';
import { nameField } from '../platform/http/fields.ts';
import { passwordLength } from './password-rule.ts';

/** What the fields of this room's operations look like. */

/** One address, and nothing that a mail's header could read as more than one. */
const addressPart = String.raw`[^\s@<>()\[\]\\,;:"\p{Cc}\p{Cs}]+`;
const emailLengthMax = 254;
export const emailField = T.String({ maxLength: emailLengthMax, pattern: `^${addressPart}@${addressPart}$` });

/** Addresses are kept and compared in one spelling. */
export const oneSpelling = (email: string): string => email.normalize('NFC').toLowerCase();

const shortNameLengthMax = 100;
export const shortNameField = nameField(shortNameLengthMax);

/** A password that is chosen must be good. One that is only compared may be anything of a bearable length. */
export const newPasswordField = T.String({ minLength: passwordLength.least, maxLength: passwordLength.most });
export const passwordField = T.String({ maxLength: passwordLength.most });

const codeLengthMax = 64;
export const codeField = T.String({ maxLength: codeLengthMax, description: 'The six digits from the app, or a recovery code' });

const tokenLengthMax = 100;
export const tokenField = T.String({ maxLength: tokenLengthMax, description: 'What stands behind the # of the link' });

export const timeField = T.String({ description: 'ISO 8601, UTC' });

/** An object with these fields and no others: a field that is misspelt is told, not ignored. */
export const exactly = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  T.Object(properties, { additionalProperties: false });
