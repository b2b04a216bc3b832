import { roleHasPermission, type StorePermission } from '../people/permissions.ts';
import { listTeamMembers, type Member } from '../people/team-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import {
  listPeopleWithEmailDisabled,
  type StoreEmailKind,
  saveStoreEmailChoice,
  storeEmailKinds,
  listDisabledStoreEmails,
} from './store-emails-sql.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import { isPerson, type Identity } from '../people/identity.ts';
import { refuse } from '../http/responses.ts';
import { namedObject } from '../http/fields.ts';
import { apiMessage } from '../messages/api-message.ts';

type RecipientQuery = { readonly storeId: Id<'store'>; readonly kind: StoreEmailKind; readonly permission: StorePermission };

/** The people of a store who have the permission to act and want these emails. */
export async function listEmailRecipients(db: Queryable, { storeId, kind, permission }: RecipientQuery): Promise<readonly Member[]> {
  const [team, disabledFor] = [await listTeamMembers(db, storeId), await listPeopleWithEmailDisabled(db, storeId, kind)];
  return team.filter(({ userId, role }) => roleHasPermission(role, permission) && !disabledFor.has(userId));
}

const fields = {
  applications: T.Boolean({ description: 'A creator applied to a program; to members who may decide on applications' }),
  approvals: T.Boolean({ description: 'Commissions will soon be approved automatically; to members who may decide on them' }),
  disputes: T.Boolean({ description: 'A creator disputed a rejection; to members who may decide on it' }),
};
const choicesJson = namedObject('StoreEmailPreferences', fields);
const access = { allow: 'store', permission: 'store:read' } as const;

type InStore = { readonly storeId: Id<'store'>; readonly userId: Id<'user'> };

async function shown(db: Queryable, person: InStore): Promise<Static<typeof choicesJson>> {
  const off = await listDisabledStoreEmails(db, person);
  return { applications: !off.has('applications'), approvals: !off.has('approvals'), disputes: !off.has('disputes') };
}

const userOf = (identity: Identity): Id<'user'> | null => (isPerson(identity) ? identity.by.userId : null);
const onlyPeople = refuse('conflict', apiMessage('store_emails.api_keys_do_not_receive'));

export const getStoreEmailsEndpoint = endpoint({
  summary: 'Get my email preferences for a store',
  access,
  reply: choicesJson,
  alsoRefuses: ['conflict'],
  async handle({ db, ids, identity }) {
    const userId = userOf(identity);
    return userId === null ? onlyPeople : shown(db, { storeId: ids.store, userId });
  },
});

/** Each person sets their own preferences, so any role in the store is sufficient. */
export const setStoreEmailsEndpoint = endpoint({
  summary: 'Change my email preferences for a store; omitted fields stay as they are',
  access,
  body: T.Partial(T.Object(fields), { additionalProperties: false }),
  reply: choicesJson,
  audit: 'wanted_mails.set',
  async handle({ db, ids, identity, body }) {
    const userId = userOf(identity);
    if (userId === null) return onlyPeople;
    const person = { storeId: ids.store, userId };
    for (const kind of storeEmailKinds) {
      const isWanted = body[kind];
      if (isWanted !== undefined) await saveStoreEmailChoice(db, { ...person, kind, isWanted });
    }
    return shown(db, person);
  },
});
