import { Type as T } from 'typebox';
import { recordAuditEntry } from '../people/audit.ts';
import { endpoint } from '../people/endpoint.ts';
import { erasedName } from '../people/erase-sql.ts';
import { emailField, strictObject, normalizeEmail } from '../people/fields.ts';
import { isPerson } from '../people/identity.ts';
import { findUser, findUserByEmail } from '../people/users-sql.ts';
import type { Database } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { centsField, orNull } from '../http/fields.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { CustomerOrOrder } from '../orders/erase-sql.ts';
import { eraseCustomer, readCustomerExport } from './customer-data.ts';
import { erasePersonData, exportPersonData, lockAgainstErasure, dataSubjectOfCreator, dataSubjectOf } from './person-data.ts';
import { apiMessage } from '../messages/api-message.ts';

const exportReply = T.Object({
  person: T.Unknown({ description: 'The rows about the account by table, with prefixed IDs, ISO times, and amounts in cents' }),
  creator: T.Unknown({
    description: 'The rows about the creator profile by table, without data from merchants about orders and without their notes',
  }),
});
const evenIfOwedField = T.Optional(T.Boolean({ description: 'The balance was settled elsewhere; the ledger keeps it' }));

const accountErased = refuse('not_signed_in', apiMessage('privacy_api.account_erased'));

/** Null if the person does not exist any more. */
async function exportOfUser(database: Database, userId: Id<'user'>) {
  return database.transaction(async (tx) => {
    const user = await findUser(tx, userId);
    const locked = user && (await lockAgainstErasure(tx, dataSubjectOf(user)));
    return locked && exportPersonData(tx, locked);
  });
}

export const exportMe = endpoint({
  summary: 'Export all data about me',
  access: { allow: 'person' },
  proof: true,
  reply: exportReply,
  audit: 'person.exported',
  handle: async ({ platform, identity: { by } }) => (await exportOfUser(platform.database, by.userId)) ?? accountErased,
});

/** Writes its own audit entry, because the pipeline's entry would contain the erased name. */
export const eraseMe = endpoint({
  summary: 'Erase my account and personal data; amounts stay in the ledger',
  access: { allow: 'person' },
  proof: true,
  status: 204,
  async handle({ db, platform, now, identity: { by, actor }, request }) {
    const user = await findUser(db, by.userId);
    const end =
      user === null ? 'erased before' : await erasePersonData(db, dataSubjectOf(user), { at: now, isEvenIfOwed: false, platform });
    if (end === 'erased before') return undefined;
    if (isRefusal(end)) return end;
    const about = { storeId: null, creatorId: null, subject: actor, details: {}, requestId: request.id, addressHash: null };
    await recordAuditEntry(db, { at: now, actor, actorName: erasedName, action: 'person.erased', ...about });
    return undefined;
  },
});

export const findPerson = endpoint({
  summary: 'Find the person with an email address',
  access: { allow: 'operator' },
  body: strictObject({ email: emailField }),
  reply: T.Object({ user_id: orNull(T.String()), creator_id: orNull(T.String()) }),
  async handle({ db, body }) {
    const user = await findUserByEmail(db, normalizeEmail(body.email));
    return { user_id: user && publicId('user', user.userId), creator_id: user?.creatorId ? publicId('crt', user.creatorId) : null };
  },
});

export const exportPerson = endpoint({
  summary: 'Export all data about a person',
  access: { allow: 'operator' },
  proof: true,
  ids: { user: 'user' },
  reply: exportReply,
  audit: 'person.exported',
  handle: async ({ platform, ids }) => (await exportOfUser(platform.database, ids.user)) ?? notFound,
});

export const erasePerson = endpoint({
  summary: 'Erase the account and personal data of a person; amounts stay in the ledger',
  access: { allow: 'operator' },
  proof: true,
  ids: { user: 'user' },
  body: strictObject({ even_if_owed: evenIfOwedField }),
  status: 204,
  audit: 'person.erased',
  async handle({ db, platform, now, ids, body }) {
    const user = await findUser(db, ids.user);
    if (user === null) return notFound;
    const end = await erasePersonData(db, dataSubjectOf(user), { at: now, isEvenIfOwed: body.even_if_owed === true, platform });
    return isRefusal(end) ? end : undefined;
  },
});

/** A creator's key exports only the creator's data; stores, sessions and other keys are data of the person. */
export const exportCreator = endpoint({
  summary: "Export all data about a creator and the creator's user",
  access: { allow: 'creator', permission: 'creator:read' },
  proof: true,
  reply: exportReply,
  audit: 'person.exported',
  async handle({ platform, ids, identity }) {
    const isWhole = isPerson(identity) || identity.isOperator;
    return platform.database.transaction(async (tx) => {
      const subject = await dataSubjectOfCreator(tx, ids.creator);
      if (subject === null) return notFound;
      const locked = await lockAgainstErasure(tx, isWhole ? subject : { ...subject, user: null });
      return exportPersonData(tx, locked ?? { user: null, creatorId: ids.creator });
    });
  },
});

export const eraseCreatorEndpoint = endpoint({
  summary: "Erase the personal data of a creator and the creator's user; amounts stay in the ledger",
  access: { allow: 'operator' },
  proof: true,
  ids: { creator: 'crt' },
  body: strictObject({ even_if_owed: evenIfOwedField }),
  status: 204,
  audit: 'person.erased',
  async handle({ db, platform, now, ids, body }) {
    const subject = await dataSubjectOfCreator(db, ids.creator);
    if (subject === null) return notFound;
    const end = await erasePersonData(db, subject, { at: now, isEvenIfOwed: body.even_if_owed === true, platform });
    return isRefusal(end) ? end : undefined;
  },
});

const idLengthMax = 500;
/** An ID as the merchant sent it. Rejects characters that the database cannot store. */
const externalId = (description: string) =>
  T.Optional(T.String({ minLength: 1, maxLength: idLengthMax, pattern: String.raw`^[^\u0000\p{Cs}]+$`, description }));
const customerBody = strictObject({
  customer_id: externalId('As sent with the orders'),
  order_id: externalId('Of one order, where orders carry no customer'),
});
const customerAccess = { allow: 'store', permission: 'store:manage' } as const;

function readCustomer(
  storeId: Id<'store'>,
  body: { readonly customer_id?: string; readonly order_id?: string },
): CustomerOrOrder | Refusal {
  if ((body.customer_id === undefined) === (body.order_id === undefined))
    return refuse('invalid_request', apiMessage('shared.body_invalid'), [
      { field: 'customer_id', message: apiMessage('privacy_api.or_order_id_required_but_not') },
    ]);
  return { storeId, customerId: body.customer_id ?? null, orderId: body.order_id ?? null };
}

export const exportCustomerEndpoint = endpoint({
  summary: 'Export the data that the store sent about a customer',
  access: customerAccess,
  proof: true,
  liveKeys: 'permitted',
  body: customerBody,
  reply: T.Object({
    orders: T.Array(
      T.Object({
        order_id: T.String(),
        occurred_at: T.String(),
        subtotal_cents: centsField(),
        order_name: orNull(T.String()),
        customer_id: orNull(T.String()),
        discount_code: orNull(T.String()),
        discount_codes: T.Array(T.String()),
        line_items: orNull(
          T.Array(T.Object({ product_id: T.String(), amount_minor_units: T.Integer(), quantity: T.Integer() }), {
            description: 'As sent; null if none were sent',
          }),
        ),
        metadata: T.Unknown({ description: 'As sent; null if none was sent' }),
      }),
    ),
    leads: T.Array(
      T.Object({
        lead_id: T.String(),
        kind: T.String(),
        occurred_at: T.String(),
        customer_id: orNull(T.String()),
        discount_code: orNull(T.String()),
        metadata: T.Unknown({ description: 'As sent; null if none was sent' }),
      }),
      { description: 'Of a customer_id' },
    ),
  }),
  audit: 'customer.exported',
  async handle({ db, ids, body }) {
    const query = readCustomer(ids.store, body);
    if (!('storeId' in query)) return query;
    const found = await readCustomerExport(db, query);
    return isRefusal(found) ? found : { orders: [...found.orders], leads: [...found.leads] };
  },
});

export const eraseCustomerEndpoint = endpoint({
  summary: 'Erase the data that the store sent about a customer; orders, leads, and amounts stay',
  access: customerAccess,
  proof: true,
  liveKeys: 'permitted',
  body: customerBody,
  reply: T.Object({
    orders: T.Integer(),
    leads: T.Integer(),
    bodies: T.Integer({ description: 'The number of postbacks in the tracking log whose body was deleted' }),
  }),
  audit: 'customer.erased',
  async handle({ db, ids, body }) {
    const query = readCustomer(ids.store, body);
    return 'storeId' in query ? eraseCustomer(db, query) : query;
  },
});
