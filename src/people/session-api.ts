import { Type as T } from 'typebox';
import { isRefusal, notFound, sent } from '../platform/http/answers.ts';
import { isoTime } from '../platform/http/fields.ts';
import { pageOf } from '../platform/http/page.ts';
import { publicId } from '../platform/ids.ts';
import { dayMs, realNow } from '../platform/time.ts';
import { noSessionCookie } from './cookie.ts';
import { endpoint } from './endpoint.ts';
import { codeField, emailField, exactly, oneSpelling, passwordField, timeField } from './fields.ts';
import { provedUntil } from './decide-proof.ts';
import { sessionIdleDays } from './sessions.ts';
import { deleteSession, sessionsOf, updateProof } from './sessions-sql.ts';
import { codeCounter, codeLimit, lockChecked, secondFactorRefusal, signedIn, subjectOfUser, userByPassword } from './sign-in.ts';
import { userById } from './users-sql.ts';
import { whoAsks, whoReply } from './who.ts';

export const readSession = endpoint({
  summary: 'Who am I, and what may I do',
  access: { who: 'signed in', duringSetUp: true },
  reply: whoReply,
  handle: ({ db, platform, identity }) => whoAsks(db, platform, identity),
});

export const signIn = endpoint({
  summary: 'Sign in with e-mail and password, and the code of the second factor where one is on',
  access: { who: 'anyone' },
  body: exactly({ email: emailField, password: passwordField, code: T.Optional(codeField) }),
  reply: whoReply,
  prepare: async ({ platform, body: { email, password, code }, request }) => {
    const checked = await userByPassword(platform, { email: oneSpelling(email), password, countedAs: request });
    if (isRefusal(checked)) return checked;
    const codesOf = await codeCounter(platform, checked.userId, request);
    return (checked.totpConfirmedAt === null ? null : await codeLimit(platform, codesOf, code)) ?? { checked, codesOf };
  },
  handle: async ({ db, platform, identity, body, prepared: { checked, codesOf }, request }) => {
    const person = await lockChecked(db, checked);
    if (isRefusal(person)) return person;
    const refused = await secondFactorRefusal(db, platform, person, { code: body.code, of: codesOf });
    if (refused) return refused;
    const told = { person, action: 'session.started', subject: subjectOfUser(person) };
    return signedIn(db, { platform, identity, request, told });
  },
});

export const signOut = endpoint({
  summary: 'End this session',
  access: { who: 'person', duringSetUp: true },
  status: 204,
  audit: 'session.ended',
  handle: async ({ db, platform, identity: { by } }) => {
    await deleteSession(db, by);
    return sent({ 'set-cookie': noSessionCookie(platform.config.baseUrl) }, null);
  },
});

export const proveIdentity = endpoint({
  summary: 'Prove once more who you are; what is delicate asks for a recent proof',
  access: { who: 'person', duringSetUp: true },
  body: exactly({ password: passwordField, code: T.Optional(codeField) }),
  reply: T.Object({ proved_until: timeField }),
  audit: 'session.proved',
  prepare: async ({ platform, db, identity, body: { password, code } }) => {
    const { sessionId, userId } = identity.by;
    const { email } = await userById(db, userId);
    const checked = await userByPassword(platform, { email, password, countedAs: { sessionId } });
    if (isRefusal(checked)) return checked;
    return (checked.totpConfirmedAt === null ? null : await codeLimit(platform, sessionId, code)) ?? checked;
  },
  handle: async ({ db, platform, identity, body, prepared: checked }) => {
    const person = await lockChecked(db, checked);
    if (isRefusal(person)) return person;
    const refused = await secondFactorRefusal(db, platform, person, { code: body.code, of: identity.by.sessionId });
    if (refused) return refused;
    const now = realNow();
    await updateProof(db, { sessionId: identity.by.sessionId, now });
    return { proved_until: isoTime(provedUntil(now)) };
  },
});

const sessionReply = T.Object({
  id: T.String(),
  created_at: timeField,
  last_seen_at: timeField,
  user_agent: T.String(),
  is_current: T.Boolean(),
});

export const listSessions = endpoint({
  summary: 'Where I am signed in',
  access: { who: 'person' },
  reply: pageOf(sessionReply),
  handle: async ({ db, identity: { by } }) => {
    const now = realNow();
    const seenSince = new Date(now.getTime() - sessionIdleDays * dayMs);
    const sessions = await sessionsOf(db, { userId: by.userId, now, seenSince });
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
  access: { who: 'person' },
  ids: { session: 'sess' },
  status: 204,
  audit: 'session.ended',
  handle: async ({ db, identity: { by }, ids }) => {
    const ended = await deleteSession(db, { userId: by.userId, sessionId: ids.session });
    return ended === 0 ? notFound : undefined;
  },
});
