import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { refuse } from '../platform/http/answers.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { paymentMethodsOf, removePaymentMethod, setPaymentMethod, type PaymentMethod } from './payment-methods-sql.ts';

const methodJson = orNull(T.Object({ provider: T.String(), sandbox: orNull(T.String()), since: T.String() }));
const reply = T.Object({
  payment_method: methodJson,
  backup_payment_method: methodJson,
});

/** What is to be done once a method is mended; billing does it, which is above this room. */
export type Mended = (platform: Platform, storeId: Id<'store'>, now: Date) => Promise<void>;

/** The provider's own name of a saved method stays inside. */
const showMethod = (method: PaymentMethod | undefined): Static<typeof methodJson> =>
  method === undefined
    ? null
    : { provider: method.provider, sandbox: method.provider === 'sandbox' ? method.instrument : null, since: isoTime(method.madeAt) };

async function showMethods(db: Queryable, storeId: Id<'store'>): Promise<Static<typeof reply>> {
  const methods = await paymentMethodsOf(db, storeId);
  return {
    payment_method: showMethod(methods.find(({ isBackup }) => !isBackup)),
    backup_payment_method: showMethod(methods.find(({ isBackup }) => isBackup)),
  };
}

const sandboxWords = T.Union([T.Literal('ok'), T.Literal('declined'), T.Literal('timeout_then_ok'), T.Literal('insufficient_then_ok')]);
const body = T.Object({ sandbox: sandboxWords }, { additionalProperties: false });

const settingOf = (mended: Mended, what: { readonly summary: string; readonly audit: string; readonly isBackup: boolean }) =>
  endpoint({
    summary: what.summary,
    access: { who: 'store', permission: 'billing:write' },
    body,
    reply,
    audit: what.audit,
    async handle({ platform, db, ids, body: { sandbox }, now }) {
      if (platform.config.mode === 'live')
        return refuse('unprocessable', 'This installation is live: a word of the sandbox is no way to pay here.');
      const { isBackup } = what;
      await setPaymentMethod(db, { storeId: ids.store, provider: 'sandbox', instrument: sandbox, isBackup, at: now });
      return showMethods(db, ids.store);
    },
    async afterCommit({ platform, ids, now }, made) {
      // The method is set, whatever becomes of what it is charged with: a job goes on with that.
      await mended(platform, ids.store, now).catch((error: unknown) =>
        platform.log.error({ store: publicId('store', ids.store), error: toldInLog(error) }, 'what is open could not be charged at once'),
      );
      return made;
    },
  });

export const setPaymentMethodEndpoint = (mended: Mended) =>
  settingOf(mended, {
    summary: 'Set how the store pays, and pay what is open; in the sandbox a word says how each charge ends',
    audit: 'payment_method.set',
    isBackup: false,
  });

export const setBackupMethodEndpoint = (mended: Mended) =>
  settingOf(mended, {
    summary: 'Set what is tried first when a charge was declined, and pay what is open',
    audit: 'backup_payment_method.set',
    isBackup: true,
  });

export const removeBackupMethodEndpoint = endpoint({
  summary: 'Forget the second way to pay',
  access: { who: 'store', permission: 'billing:write' },
  reply,
  audit: 'backup_payment_method.removed',
  async handle({ db, ids, now }) {
    await removePaymentMethod(db, { storeId: ids.store, isBackup: true, at: now });
    return showMethods(db, ids.store);
  },
});

export const getPaymentMethodEndpoint = endpoint({
  summary: 'Read how the store pays',
  access: { who: 'store', permission: 'store:read' },
  reply,
  handle: ({ db, ids }) => showMethods(db, ids.store),
});
