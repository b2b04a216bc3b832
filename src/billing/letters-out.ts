import { creatorsOfStore } from '../creators/members-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import { keepAudit } from '../people/audit.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { roleHolds } from '../people/permissions.ts';
import { teamOf } from '../people/team-sql.ts';
import { operators } from '../people/users-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures } from '../platform/tenant-failures.ts';
import type { Charge } from './charges-sql.ts';
import { creatorsPastDueLetter, strayLetter, type StoreFacts } from './letters.ts';
import { keepTelling, lockTelling, storesTelling } from './settings-sql.ts';

type About = Pick<Platform, 'config' | 'secrets'>;

/** To those of a store who may change how it pays, in the transaction of what it tells of. */
export async function tellFinance(
  db: Queryable,
  { config, secrets }: About,
  storeId: Id<'store'>,
  letterOf: (facts: StoreFacts) => Letter,
): Promise<void> {
  const store = await findStore(db, storeId);
  must(store, 'stores are never deleted');
  const letter = letterOf({ storeName: store.name, url: `${config.baseUrl}/stores/${publicId('store', storeId)}/billing` });
  const paying = (await teamOf(db, storeId)).filter(({ role }) => roleHolds(role, 'billing:write'));
  for (const { email } of paying) await keepMail(db, secrets, { to: email, letter, storeId });
}

/** To the operators, and into the audit log: it happened by itself, and a person has to act. */
export async function tellOfStray(
  tx: Transaction,
  { config, secrets }: About,
  { storeId, chargeId, invoiceId, amountCents }: Pick<Charge, 'storeId' | 'chargeId' | 'invoiceId' | 'amountCents'>,
  at: Date,
): Promise<void> {
  const charge = publicId('chg', chargeId);
  await keepAudit(tx, {
    at,
    actor: 'system',
    actorName: 'Tributary',
    storeId,
    creatorId: null,
    action: 'charge.stray',
    subject: charge,
    details: { invoice: publicId('inv', invoiceId), amount_cents: amountCents },
    requestId: '',
    addressHash: null,
  });
  const letter = strayLetter({ amount: amountCents, charge, url: `${config.baseUrl}/operator/charges` });
  for (const { email } of await operators(tx, { most: operatorsMax })) await keepMail(tx, secrets, { to: email, letter, storeId: null });
}

const storesPerRunMax = 1_000;
const creatorsPerTransactionMax = 200;
const roundsMax = 10_000;

/**
 * A job: tells the creators of stores that became past due. Who was told last stands in the transaction of their mails, so
 * that a death tells nobody twice and leaves nobody out.
 */
export async function tellCreatorsOfPastDue(platform: Platform): Promise<void> {
  const { database } = platform;
  const failures = tenantFailures(platform.log, 'The creators of stores that are past due could not be told');
  for (const storeId of await storesTelling(database, storesPerRunMax))
    await failures.run(publicId('store', storeId), async () => {
      for (let round = 0; round < roundsMax; round++) if (await database.transaction((tx) => tellSome(tx, platform, storeId))) break;
    });
  failures.raise();
}

/** True: all are told. */
async function tellSome(tx: Transaction, { config, secrets }: About, storeId: Id<'store'>): Promise<boolean> {
  const telling = await lockTelling(tx, storeId);
  const store = await findStore(tx, storeId);
  if (telling === null || store === null) return true;
  const letter = creatorsPastDueLetter({ storeName: store.name, url: `${config.baseUrl}/programs` });
  // It paid meanwhile: there is nothing to tell any more.
  const stretch = { after: telling.tellingAfter, limit: creatorsPerTransactionMax };
  const creators = store.pastDueAt === null ? [] : await creatorsOfStore(tx, storeId, stretch);
  for (const { email } of creators) await keepMail(tx, secrets, { to: email, letter, storeId: null });
  const isWhole = creators.length < creatorsPerTransactionMax;
  await keepTelling(tx, storeId, isWhole ? null : (creators.at(-1)?.creatorId ?? null));
  return isWhole;
}
