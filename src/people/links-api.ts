import { Type as T } from 'typebox';
import { isRefusal } from '../platform/http/answers.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { publicId } from '../platform/ids.ts';
import { endpoint } from './endpoint.ts';
import { codeField, emailField, exactly, shortNameField, passwordField, timeField, tokenField } from './fields.ts';
import { linkGone } from './invitations.ts';
import { findLink } from './one-time-links.ts';
import { carryOut, isSignedInAs, meantBy, planFor } from './use-link.ts';
import { whoReply } from './who.ts';

const invitationInLink = T.Object({
  kind: T.String({ description: '`store`, `operator` or `creator`' }),
  store_id: orNull(T.String()),
  role: orNull(T.String()),
  creator_id: orNull(T.String()),
});

const linkReply = T.Object({
  purpose: T.String({ description: '`first operator`, `sign-up`, `new password` or `invitation`' }),
  email: orNull(T.String({ description: 'Null where the person names it: the first operator' })),
  account: T.String({ description: '`new`: choose a name and a password; `existing`: give the password; `signed in`: nothing more' }),
  /** Whether using the link asks for a code too. */
  second_factor: T.Boolean(),
  invitation: orNull(invitationInLink),
  expires_at: timeField,
});

export const readLink = endpoint({
  summary: 'What a one-time link is for; reading does not use it',
  access: { who: 'anyone' },
  body: exactly({ token: tokenField }),
  reply: linkReply,
  alsoRefuses: ['link_used_or_expired'],
  handle: async ({ db, body, identity }) => {
    const found = await findLink(db, body.token);
    const meant = found && (await meantBy(db, found.link));
    if (!meant) return linkGone;
    const { email, user, invitation } = meant;
    const signedIn = user !== null && isSignedInAs(identity, user) && invitation !== null;
    return {
      purpose: found.link.for,
      email,
      account: user === null ? 'new' : signedIn ? 'signed in' : 'existing',
      second_factor: user !== null && user.totpConfirmedAt !== null && !signedIn,
      invitation: invitation && {
        kind: invitation.kind,
        store_id: invitation.storeId && publicId('store', invitation.storeId),
        role: invitation.role,
        creator_id: invitation.creatorId && publicId('crt', invitation.creatorId),
      },
      expires_at: isoTime(found.expiresAt),
    };
  },
});

export const useLink = endpoint({
  summary: 'Use a one-time link: make the account, choose the new password, or accept the invitation; then you are signed in',
  access: { who: 'anyone' },
  body: exactly({
    token: tokenField,
    email: T.Optional(emailField),
    name: T.Optional(shortNameField),
    password: T.Optional(passwordField),
    code: T.Optional(codeField),
    end_keys: T.Optional(
      T.Boolean({
        description: 'With a new password: also revoke every API key that you made. Default true; all sessions end in any case',
      }),
    ),
  }),
  reply: whoReply,
  alsoRefuses: ['link_used_or_expired'],
  prepare: async ({ platform, db, body, identity, request }) => {
    const found = await findLink(db, body.token);
    const meant = found && (await meantBy(db, found.link));
    if (!meant) return linkGone;
    const plan = await planFor(platform, found.link, meant, { ...body, identity, request });
    return isRefusal(plan) ? plan : { plan, tokenHash: found.tokenHash, history: found.history };
  },
  handle: ({ db, platform, identity, body, prepared, request }) =>
    carryOut(db, { platform, identity, request, code: body.code, endKeys: body.end_keys ?? true, ...prepared }),
});
