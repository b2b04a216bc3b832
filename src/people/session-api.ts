import { Type as T } from 'typebox';
import { isRefusal, notFound, sent } from '../http/responses.ts';
import { isoTime, namedObject } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { dayMs, realNow } from '../core/time.ts';
import { expiredSessionCookie, sessionIdleDays } from './cookie.ts';
import { endpoint } from './endpoint.ts';
import { codeField, emailField, strictObject, normalizeEmail, passwordField, timeField } from './fields.ts';
import { provedUntil } from './decide-proof.ts';
import { deleteSession, listSessionsOf, updateProof } from './sessions-sql.ts';
import {
  codeCounterOf,
  checkCodeLimit,
  lockAuthenticatedUser,
  checkSecondFactor,
  completeSignIn,
  subjectOfUser,
  authenticateByPassword,
} from './sign-in.ts';
import { getUser } from './users-sql.ts';
import { describeIdentity, identityReply } from './describe-identity.ts';

export const readSession = endpoint({
  summary: 'Get my account and permissions',
  access: { allow: 'signed in', duringSetUp: true },
  reply: identityReply,
  handle: ({ db, platform, identity }) => describeIdentity(db, platform, identity),
});

export const signIn = endpoint({
  summary: 'Sign in with email, password, and a code if two-factor authentication is on',
  access: { allow: 'anyone' },
  body: strictObject({ email: emailField, password: passwordField, code: T.Optional(codeField) }),
  reply: identityReply,
  prepare: async ({ platform, body: { email, password, code }, request }) => {
    const checked = await authenticateByPassword(platform, { email: normalizeEmail(email), password, countedAs: request });
    if (isRefusal(checked)) return checked;
    const codesOf = await codeCounterOf(platform, checked.userId, request);
    return (checked.totpConfirmedAt === null ? null : await checkCodeLimit(platform, codesOf, code)) ?? { checked, codesOf };
  },
  handle: async ({ db, platform, identity, body, prepared: { checked, codesOf }, request }) => {
    const person = await lockAuthenticatedUser(db, checked);
    if (isRefusal(person)) return person;
    const refused = await checkSecondFactor(db, platform, person, { code: body.code, of: codesOf });
    if (refused) return refused;
    const auditEntry = { person, action: 'session.started', subject: subjectOfUser(person) } as const;
    return completeSignIn(db, { platform, identity, request, auditEntry });
  },
});

export const signOut = endpoint({
  summary: 'Sign out',
  access: { allow: 'person', duringSetUp: true },
  status: 204,
  audit: 'session.ended',
  handle: async ({ db, platform, identity: { by } }) => {
    await deleteSession(db, by);
    return sent({ 'set-cookie': expiredSessionCookie(platform.config.baseUrl) }, null);
  },
});

export const proveIdentity = endpoint({
  summary: 'Confirm your identity; sensitive operations need a recent confirmation',
  access: { allow: 'person', duringSetUp: true },
  body: strictObject({ password: passwordField, code: T.Optional(codeField) }),
  reply: T.Object({ proved_until: timeField }),
  audit: 'session.proved',
  prepare: async ({ platform, db, identity, body: { password, code } }) => {
    const { sessionId, userId } = identity.by;
    const { email } = await getUser(db, userId);
    const checked = await authenticateByPassword(platform, { email, password, countedAs: { sessionId } });
    if (isRefusal(checked)) return checked;
    return (checked.totpConfirmedAt === null ? null : await checkCodeLimit(platform, sessionId, code)) ?? checked;
  },
  handle: async ({ db, platform, identity, body, prepared: checked }) => {
    const person = await lockAuthenticatedUser(db, checked);
    if (isRefusal(person)) return person;
    const refused = await checkSecondFactor(db, platform, person, { code: body.code, of: identity.by.sessionId });
    if (refused) return refused;
    const now = realNow();
    await updateProof(db, { sessionId: identity.by.sessionId, now });
    return { proved_until: isoTime(provedUntil(now)) };
  },
});

const listedSession = namedObject('ActiveSession', {
  id: T.String(),
  created_at: timeField,
  last_seen_at: timeField,
  user_agent: T.String(),
  is_current: T.Boolean(),
});

export const listSessions = endpoint({
  summary: 'List my sessions',
  access: { allow: 'person' },
  reply: pageOf(listedSession),
  handle: async ({ db, identity: { by } }) => {
    const now = realNow();
    const seenSince = new Date(now.getTime() - sessionIdleDays * dayMs);
    const sessions = await listSessionsOf(db, { userId: by.userId, now, seenSince });
    const data = sessions.map(({ sessionId, createdAt, lastSeenAt, userAgent }) => ({
      id: publicId('sess', sessionId),
      created_at: isoTime(createdAt),
      last_seen_at: isoTime(lastSeenAt),
      user_agent: userAgent,
      is_current: sessionId === by.sessionId,
    }));
    return { data, next_cursor: null };
  },
});

export const endSession = endpoint({
  summary: 'End one of my sessions',
  access: { allow: 'person' },
  ids: { session: 'sess' },
  status: 204,
  audit: 'session.ended',
  handle: async ({ db, identity: { by }, ids }) => {
    const ended = await deleteSession(db, { userId: by.userId, sessionId: ids.session });
    return ended === 0 ? notFound : undefined;
  },
});
