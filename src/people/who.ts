import { Type as T, type Static } from 'typebox';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { timeField } from './fields.ts';
import { isPerson, type Identity } from './identity.ts';
import { mustSetUpSecondFactor } from './operator-factor.ts';
import { creatorPermissions, namesOf, roles } from './permissions.ts';
import { provedUntil } from './decide-proof.ts';
import { recoveryCodesLeft } from './second-factor-sql.ts';
import { rolesOf } from './team-sql.ts';
import { userById } from './users-sql.ts';

export const whoReply = T.Object({
  actor: T.String({ description: '`user_…`, or `key_…` where an API key asks' }),
  name: T.String(),
  email: orNull(T.String()),
  is_operator: T.Boolean(),
  creator_id: orNull(T.String()),
  creator_permissions: T.Array(T.String()),
  stores: T.Array(T.Object({ id: T.String(), role: orNull(T.String()), permissions: T.Array(T.String()) })),
  second_factor: T.Boolean(),
  second_factor_required: T.Boolean({ description: 'In live mode an operator sets up a second factor before anything else' }),
  recovery_codes_left: T.Integer(),
  /** Until when what is delicate may be done without proving again who you are. */
  proved_until: orNull(timeField),
  mode: T.Union([T.Literal('sandbox'), T.Literal('live')]),
});
export type Who = Static<typeof whoReply>;

/** A person, as they and the dashboards see them. */
export async function whoIs(
  db: Queryable,
  { config }: Platform,
  { userId, provedAt }: { readonly userId: Id<'user'>; readonly provedAt: Date },
): Promise<Who> {
  const user = await userById(db, userId);
  const stores = await rolesOf(db, userId);
  return {
    actor: publicId('user', userId),
    name: user.name,
    email: user.email,
    is_operator: user.isOperator,
    creator_id: user.creatorId === null ? null : publicId('crt', user.creatorId),
    creator_permissions: user.creatorId === null ? [] : namesOf(creatorPermissions),
    stores: stores.map(({ storeId, role }) => ({ id: publicId('store', storeId), role, permissions: [...roles[role]] })),
    second_factor: user.totpConfirmedAt !== null,
    second_factor_required: mustSetUpSecondFactor(
      { isOperator: user.isOperator, hasSecondFactor: user.totpConfirmedAt !== null },
      config.mode,
    ),
    recovery_codes_left: await recoveryCodesLeft(db, userId),
    proved_until: isoTime(provedUntil(provedAt)),
    mode: config.mode,
  };
}

/** Whoever asks, a person or a program. */
export async function whoAsks(db: Queryable, platform: Platform, identity: Identity): Promise<Who> {
  if (isPerson(identity)) return whoIs(db, platform, identity.by);
  const { actor, name, isOperator, stores, creator } = identity;
  return {
    actor,
    name,
    email: null,
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
