import type { Command, CommandArguments } from './command.ts';
import type { CustomerOrOrder } from '../orders/erase-sql.ts';
import type { AuditAction } from '../people/audit-actions.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { normalizeEmail } from '../people/fields.ts';
import { findUserByEmail } from '../people/users-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal } from '../http/responses.ts';
import { jsonText } from '../core/json.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { eraseCustomer, readCustomerExport } from '../privacy/customer-data.ts';
import { erasePersonData, exportPersonData, dataSubjectOfCreator, dataSubjectOf, type DataSubject } from '../privacy/person-data.ts';

/** For people who request it by mail instead of in the dashboard: an operator answers them. */
export const exportPerson: Command = {
  usage: 'export-person --email them@example.com | --creator crt_…',
  does: 'prints everything that is stored about a person, as JSON',
  runs: 'beside',
  async run(platform, words) {
    const subject = await findDataSubject(platform.jobsDatabase, words);
    console.log(jsonText(await exportPersonData(platform.jobsDatabase, subject)));
    await recordInAuditLog(platform, platform.jobsDatabase, { action: 'person.exported', subject: describeDataSubject(subject) });
  },
};

export const erasePerson: Command = {
  usage: 'erase-person --email them@example.com | --creator crt_… [--even-if-owed]',
  does: 'erases what identifies a person; amounts stay in the ledger. --even-if-owed also erases a person who is still owed money',
  runs: 'beside',
  async run(platform, words) {
    const subject = await platform.jobsDatabase.transaction(async (tx) => {
      const found = await findDataSubject(tx, words);
      const refused = await erasePersonData(tx, found, { at: platform.clock.now(), isEvenIfOwed: words['even-if-owed'], platform });
      if (isRefusal(refused)) throw new Error(refused.message);
      await recordInAuditLog(platform, tx, { action: 'person.erased', subject: describeDataSubject(found) });
      return found;
    });
    console.log(`${describeDataSubject(subject)} was erased. Older backups still contain the erased data until you delete them.`);
  },
};

export const exportCustomer: Command = {
  usage: 'export-customer --store store_… --customer ID | --order ID',
  does: "prints what a store has reported about one of its customers, by the store's own id of the customer or of an order",
  runs: 'beside',
  async run(platform, words) {
    const found = await readCustomerExport(platform.jobsDatabase, readCustomer(words));
    if (isRefusal(found)) throw new Error(found.message);
    console.log(jsonText(found));
    await recordInAuditLog(platform, platform.jobsDatabase, { action: 'customer.exported', subject: words.store ?? '' });
  },
};

export const eraseCustomerCommand: Command = {
  usage: 'erase-customer --store store_… --customer ID | --order ID',
  does: 'erases what a store has reported about one of its customers; orders and amounts stay',
  runs: 'beside',
  async run(platform, words) {
    const { orders, leads, bodies } = await platform.jobsDatabase.transaction(async (tx) => {
      await recordInAuditLog(platform, tx, { action: 'customer.erased', subject: words.store ?? '' });
      const erased = await eraseCustomer(tx, readCustomer(words));
      if (isRefusal(erased)) throw new Error(erased.message);
      return erased;
    });
    console.log(`Erased in ${orders} orders, ${leads} leads, and ${bodies} requests of the tracking log.`);
  },
};

async function findDataSubject(db: Queryable, { email, creator }: CommandArguments): Promise<DataSubject> {
  if ((email === undefined) === (creator === undefined)) throw new Error('name the person: --email them@example.com, or --creator crt_…');
  if (email !== undefined) {
    const user = await findUserByEmail(db, normalizeEmail(email));
    if (user === null) throw new Error('no account has this address; for a creator without an account, use --creator');
    return dataSubjectOf(user);
  }
  const creatorId = readPublicId('crt', creator ?? '');
  const subject = creatorId === null ? null : await dataSubjectOfCreator(db, creatorId);
  if (subject === null) throw new Error('--creator must be the ID of a creator: crt_…');
  return subject;
}

const describeDataSubject = ({ user, creatorId }: DataSubject): string =>
  user === null ? (creatorId === null ? '' : publicId('crt', creatorId)) : publicId('user', user.userId);

function readCustomer({ store, customer, order }: CommandArguments): CustomerOrOrder {
  const storeId = readPublicId('store', store ?? '');
  if (storeId === null) throw new Error('name the store: --store store_…');
  if ((customer === undefined) === (order === undefined)) throw new Error('name the customer: --customer ID, or --order ID');
  return { storeId, customerId: customer ?? null, orderId: order ?? null };
}

async function recordInAuditLog(
  { clock }: Platform,
  db: Queryable,
  { action, subject }: { readonly action: AuditAction; readonly subject: string },
): Promise<void> {
  const by = { actor: 'system', actorName: 'command line', storeId: null, creatorId: null, requestId: '', addressHash: null };
  await recordAuditEntry(db, { at: clock.now(), action, subject, details: {}, ...by });
}
