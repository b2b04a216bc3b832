import type { Command, Words } from './cli-command.ts';
import type { CustomerAsked } from './orders/erase-sql.ts';
import { keepAudit } from './people/audit.ts';
import { oneSpelling } from './people/fields.ts';
import { userByEmail } from './people/users-sql.ts';
import type { Queryable } from './platform/database/database.ts';
import { isRefusal } from './platform/http/answers.ts';
import { jsonText } from './platform/http/json.ts';
import { publicId, readPublicId } from './platform/ids.ts';
import type { Platform } from './platform/platform.ts';
import { eraseCustomer, exportOfCustomer } from './privacy/customer.ts';
import { erase, exportOf, somebodyWhoIs, somebodyWith, type Somebody } from './privacy/person.ts';

/** For who cannot or will not do it by the dashboard: a letter came, and somebody answers it. */
export const exportPerson: Command = {
  usage: 'export-person --email them@example.com | --creator crt_…',
  does: 'prints everything that is kept about somebody, as JSON',
  runs: 'beside',
  async run(platform, words) {
    const somebody = await whoIn(platform.nightDatabase, words);
    console.log(jsonText(await exportOf(platform.nightDatabase, somebody)));
    await keepInLog(platform, platform.nightDatabase, { action: 'person.exported', subject: nameOf(somebody) });
  },
};

export const erasePerson: Command = {
  usage: 'erase-person --email them@example.com | --creator crt_… [--even-if-owed]',
  does: 'erases what says who somebody is; amounts stay in the books. With --even-if-owed also whoever is still owed money',
  runs: 'beside',
  async run(platform, words) {
    const somebody = await platform.nightDatabase.transaction(async (tx) => {
      const found = await whoIn(tx, words);
      const refused = await erase(tx, found, { at: platform.clock.now(), isEvenIfOwed: words['even-if-owed'], platform });
      if (isRefusal(refused)) throw new Error(refused.message);
      await keepInLog(platform, tx, { action: 'person.erased', subject: nameOf(found) });
      return found;
    });
    console.log(`${nameOf(somebody)} was erased. Backups that are older still have what was erased: let them run out.`);
  },
};

export const exportCustomer: Command = {
  usage: 'export-customer --store store_… --customer ID | --order ID',
  does: "prints what a store has told about one of its customers, by the store's own id of the customer or of an order",
  runs: 'beside',
  async run(platform, words) {
    const orders = await exportOfCustomer(platform.nightDatabase, customerIn(words));
    if (isRefusal(orders)) throw new Error(orders.message);
    console.log(jsonText(orders));
    await keepInLog(platform, platform.nightDatabase, { action: 'customer.exported', subject: words.store ?? '' });
  },
};

export const eraseCustomerCommand: Command = {
  usage: 'erase-customer --store store_… --customer ID | --order ID',
  does: 'erases what a store has told about one of its customers; orders and amounts stay',
  runs: 'beside',
  async run(platform, words) {
    const { orders, bodies } = await platform.nightDatabase.transaction(async (tx) => {
      await keepInLog(platform, tx, { action: 'customer.erased', subject: words.store ?? '' });
      const erased = await eraseCustomer(tx, customerIn(words));
      if (isRefusal(erased)) throw new Error(erased.message);
      return erased;
    });
    console.log(`In ${orders} orders and ${bodies} reports of the tracking log.`);
  },
};

async function whoIn(db: Queryable, { email, creator }: Words): Promise<Somebody> {
  if ((email === undefined) === (creator === undefined)) throw new Error('say who: --email them@example.com, or --creator crt_…');
  if (email !== undefined) {
    const user = await userByEmail(db, oneSpelling(email));
    if (user === null) throw new Error('nobody has an account with this address; a creator without one is named by --creator');
    return somebodyWith(user);
  }
  const creatorId = readPublicId('crt', creator ?? '');
  const somebody = creatorId === null ? null : await somebodyWhoIs(db, creatorId);
  if (somebody === null) throw new Error('--creator must be the id of a creator: crt_…');
  return somebody;
}

const nameOf = ({ user, creatorId }: Somebody): string =>
  user === null ? (creatorId === null ? '' : publicId('crt', creatorId)) : publicId('user', user.userId);

function customerIn({ store, customer, order }: Words): CustomerAsked {
  const storeId = readPublicId('store', store ?? '');
  if (storeId === null) throw new Error('say in which store: --store store_…');
  if ((customer === undefined) === (order === undefined)) throw new Error('say whose: --customer ID, or --order ID');
  return { storeId, customerId: customer ?? null, orderId: order ?? null };
}

async function keepInLog(
  { clock }: Platform,
  db: Queryable,
  { action, subject }: { readonly action: string; readonly subject: string },
): Promise<void> {
  const by = { actor: 'system', actorName: 'command line', storeId: null, creatorId: null, requestId: '', addressHash: null };
  await keepAudit(db, { at: clock.now(), action, subject, details: {}, ...by });
}
