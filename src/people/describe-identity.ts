import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { languages } from '../../locales/languages.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { timeField } from './fields.ts';
import { isPerson, type Identity } from './identity.ts';
import { mustSetUpSecondFactor } from './decide-rights.ts';
import { creatorPermissions, roles } from './permissions.ts';
import { namesOf } from '../core/names-of.ts';
import { provedUntil } from './decide-proof.ts';
import { countUnusedRecoveryCodes } from './second-factor-sql.ts';
import { listRolesOf } from './team-sql.ts';
import { getUser } from './users-sql.ts';

export const identityReply = namedObject('Session', {
  actor: T.String({ description: '`user_…`, or `key_…` for an API key' }),
  name: T.String(),
  email: orNull(T.String()),
  language: orNull(
    T.Enum([...languages], {
      description: 'The language of emails to this person, and of pages that have translations; `null` for an API key',
    }),
  ),
  is_operator: T.Boolean(),
  creator_id: orNull(T.String()),
  creator_permissions: T.Array(T.String()),
  stores: T.Array(T.Object({ id: T.String(), role: orNull(T.String()), permissions: T.Array(T.String()) })),
  second_factor: T.Boolean(),
  second_factor_required: T.Boolean({ description: 'True in live mode until an operator has turned on two-factor authentication' }),
  recovery_codes_left: T.Integer(),
  /** The time until which sensitive operations need no new proof of identity. */
  proved_until: orNull(timeField),
  mode: T.Union([T.Literal('sandbox'), T.Literal('live')]),
});
export type IdentityReply = Static<typeof identityReply>;

/** A person, as shown to themselves and in the dashboards. */
export async function describePerson(
  db: Queryable,
  { config }: Platform,
  { userId, provedAt }: { readonly userId: Id<'user'>; readonly provedAt: Date },
): Promise<IdentityReply> {
  const user = await getUser(db, userId);
  const stores = await listRolesOf(db, userId);
  return {
    actor: publicId('user', userId),
    name: user.name,
    email: user.email,
    language: user.language,
    is_operator: user.isOperator,
    creator_id: user.creatorId === null ? null : publicId('crt', user.creatorId),
    creator_permissions: user.creatorId === null ? [] : namesOf(creatorPermissions),
    stores: stores.map(({ storeId, role }) => ({ id: publicId('store', storeId), role, permissions: [...roles[role]] })),
    second_factor: user.totpConfirmedAt !== null,
    second_factor_required: mustSetUpSecondFactor(
      { isOperator: user.isOperator, hasSecondFactor: user.totpConfirmedAt !== null },
      config.mode,
    ),
    recovery_codes_left: await countUnusedRecoveryCodes(db, userId),
    proved_until: isoTime(provedUntil(provedAt)),
    mode: config.mode,
  };
}

/** The requester, a person or a program. */
export async function describeIdentity(db: Queryable, platform: Platform, identity: Identity): Promise<IdentityReply> {
  if (isPerson(identity)) return describePerson(db, platform, identity.by);
  const { actor, name, isOperator, stores, creator } = identity;
  return {
    actor,
    name,
    email: null,
    language: null,
    is_operator: isOperator,
    creator_id: creator === null ? null : publicId('crt', creator.creatorId),
    creator_permissions: [...(creator?.permissions ?? [])],
    stores: [...stores].map(([id, permissions]) => ({ id: publicId('store', id), role: null, permissions: [...permissions] })),
    second_factor: false,
    second_factor_required: identity.mustSetUpSecondFactor,
    recovery_codes_left: 0,
    proved_until: null,
    mode: platform.config.mode,
  };
}
