import { Type as T, type TSchema } from 'typebox';
import { nameField } from '../http/fields.ts';
import { passwordLength } from './passwords.ts';

/** Exactly one address, without characters that an email header could read as a second one. */
const addressPart = String.raw`[^\s@<>()\[\]\\,;:"\p{Cc}\p{Cs}]+`;
const emailLengthMax = 254;
export const emailField = T.String({ maxLength: emailLengthMax, pattern: `^${addressPart}@${addressPart}$` });

const emailPattern = new RegExp(`^${addressPart}@${addressPart}$`, 'u');
export const isEmail = (text: string): boolean => text.length <= emailLengthMax && emailPattern.test(text);

/** Email addresses are stored and compared in this form. */
export const normalizeEmail = (email: string): string => email.normalize('NFC').toLowerCase();

const shortNameLengthMax = 100;
export const shortNameField = nameField(shortNameLengthMax);

/** A new password must be strong. A password that is only compared needs nothing but a limited length. */
export const newPasswordField = T.String({ minLength: passwordLength.least, maxLength: passwordLength.most });
export const passwordField = T.String({ maxLength: passwordLength.most });

const codeLengthMax = 64;
export const codeField = T.String({ maxLength: codeLengthMax, description: 'The six digits from the app, or a recovery code' });

const tokenLengthMax = 100;
export const tokenField = T.String({ maxLength: tokenLengthMax, description: 'The part after # in the link' });

export const timeField = T.String({ description: 'ISO 8601, UTC' });

/** An object that rejects unknown fields, so that a misspelled field is an error. */
export const strictObject = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  T.Object(properties, { additionalProperties: false });
