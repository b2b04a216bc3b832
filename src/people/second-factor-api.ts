import { Type as T } from 'typebox';
import { keepMail } from '../notify/mail.ts';
import { secondFactorLetter, secondFactorReplacedLetter } from '../notify/people-letters.ts';
import { refuse } from '../platform/http/answers.ts';
import { realNow } from '../platform/time.ts';
import { forgetOwnFailures, ownRefusal } from './attempt-limits.ts';
import { endpoint } from './endpoint.ts';
import { codeField, exactly } from './fields.ts';
import { signInUrl } from './one-time-links.ts';
import {
  clearSecondFactor,
  newRecoveryCodes,
  replaceSecondFactor,
  startReplacement,
  startSecondFactor,
  useAppCode,
} from './second-factor.ts';
import { confirmTotp } from './second-factor-sql.ts';
import { lockUser, userById } from './users-sql.ts';

const isOnAlready = refuse('conflict', 'A second factor is on already; switch it off first to set up another app.');

const operatorsNeedOne = refuse('conflict', 'In live mode operators keep a second factor; replace the app instead of switching it off.');

export const beginSecondFactor = endpoint({
  summary: 'Set up an authenticator app; it counts once a first code of it was confirmed',
  access: { who: 'person', duringSetUp: true },
  proof: true,
  reply: T.Object({ secret: T.String(), url: T.String({ description: 'otpauth://… for a QR code' }) }),
  audit: 'second_factor.started',
  handle: async ({ db, platform, identity: { by } }) => {
    const person = await userById(db, by.userId);
    return (await startSecondFactor(db, platform.secrets, person)) ?? isOnAlready;
  },
});

export const confirmSecondFactor = endpoint({
  summary: 'Switch the second factor on with a first code; the recovery codes are shown this once',
  access: { who: 'person', duringSetUp: true },
  body: exactly({ code: codeField }),
  reply: T.Object({ recovery_codes: T.Array(T.String()) }),
  audit: 'second_factor.on',
  prepare: ({ platform, identity: { by } }) => ownRefusal(platform, { what: 'code', of: by.sessionId }),
  handle: async ({ db, platform, identity: { by }, body }) => {
    const person = await lockUser(db, by.userId);
    if (person.totpConfirmedAt !== null) return isOnAlready;
    if (!(await useAppCode(db, platform.secrets, by.userId, body.code))) {
      return refuse('wrong_code', 'The code is wrong. Is the clock of the device right?');
    }
    await confirmTotp(db, { userId: by.userId, now: realNow() });
    await forgetOwnFailures(platform, { what: 'code', of: by.sessionId }, db);
    const letter = secondFactorLetter({ isOn: true, url: signInUrl(platform.config.baseUrl) });
    await keepMail(db, platform.secrets, { to: person.email, letter, storeId: null });
    return { recovery_codes: [...(await newRecoveryCodes(db, platform.secrets, by.userId))] };
  },
});

export const endSecondFactor = endpoint({
  summary: 'Switch the second factor off',
  access: { who: 'person' },
  proof: true,
  status: 204,
  audit: 'second_factor.off',
  handle: async ({ db, platform, identity: { by } }) => {
    const person = await lockUser(db, by.userId);
    if (platform.config.mode === 'live' && person.isOperator) return operatorsNeedOne;
    await clearSecondFactor(db, by.userId);
    if (person.totpConfirmedAt === null) return undefined;
    const letter = secondFactorLetter({ isOn: false, url: signInUrl(platform.config.baseUrl) });
    await keepMail(db, platform.secrets, { to: person.email, letter, storeId: null });
    return undefined;
  },
});

const nothingToReplace = refuse('conflict', 'There is no second factor to replace; set one up first.');

export const beginReplacement = endpoint({
  summary: 'Set up another authenticator app in place of the present one, which counts until a code of the new one was confirmed',
  access: { who: 'person' },
  proof: true,
  reply: T.Object({ secret: T.String(), url: T.String({ description: 'otpauth://… for a QR code' }) }),
  audit: 'second_factor.replacement_started',
  handle: async ({ db, platform, identity: { by } }) => {
    const person = await userById(db, by.userId);
    return (await startReplacement(db, platform.secrets, person)) ?? nothingToReplace;
  },
});

export const confirmReplacement = endpoint({
  summary: 'Replace the authenticator app with a first code of the new one; new recovery codes are shown this once',
  access: { who: 'person' },
  body: exactly({ code: codeField }),
  reply: T.Object({ recovery_codes: T.Array(T.String()) }),
  audit: 'second_factor.replaced',
  prepare: ({ platform, identity: { by } }) => ownRefusal(platform, { what: 'code', of: by.sessionId }),
  handle: async ({ db, platform, identity: { by }, body }) => {
    const person = await lockUser(db, by.userId);
    if (person.totpConfirmedAt === null) return nothingToReplace;
    if (!(await replaceSecondFactor(db, platform.secrets, by.userId, body.code))) {
      return refuse('wrong_code', 'The code is wrong. Is the clock of the device right?');
    }
    await forgetOwnFailures(platform, { what: 'code', of: by.sessionId }, db);
    const letter = secondFactorReplacedLetter({ url: signInUrl(platform.config.baseUrl) });
    await keepMail(db, platform.secrets, { to: person.email, letter, storeId: null });
    return { recovery_codes: [...(await newRecoveryCodes(db, platform.secrets, by.userId))] };
  },
});
