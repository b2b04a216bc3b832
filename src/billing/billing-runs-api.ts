import { type Static, Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { storeExists } from '../merchants/stores-sql.ts';
import { historyIsWritten, refusedByHistory, unlessHistoryIsWritten } from '../queue/history-lock.ts';
import { isRefusal, notFound, refuse } from '../http/responses.ts';
import { centsField, namedObject, orNull } from '../http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape } from '../http/page.ts';
import {
  runRequestFields,
  executeRun,
  idLengthMax,
  listedRunFields,
  runFields,
  showListedRunFields,
  showRunFields,
} from '../http/manual-runs.ts';
import { type Id, newId, publicId, readPublicId } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { inBackground, type Money, type Providers } from '../payments/providers.ts';
import { shownInvoiceStates } from './invoice-states.ts';
import { planBillingRun, runBilling } from './run-billing.ts';
import { claimRun, endRun, findRun, insertRun, listRuns, type Run } from './billing-runs-sql.ts';

const runJson = namedObject('BillingRun', {
  id: T.String(),
  store_id: orNull(T.String()),
  ...runFields,
  invoices: T.Array(
    T.Object({
      id: orNull(T.String({ description: 'Null in a dry run, for what would be issued' })),
      store_id: T.String(),
      total_cents: centsField(),
      state: T.Enum([...shownInvoiceStates]),
    }),
  ),
});

const showRun = (run: Run): Static<typeof runJson> => ({
  id: publicId('brun', run.billingRunId),
  store_id: run.askedStoreId === null ? null : publicId('store', run.askedStoreId),
  ...showRunFields(run, { by: run.askedBy, byName: run.askedByName }),
  invoices: [...(run.result ?? [])],
});

const body = T.Object(
  {
    store_id: T.Optional(orNull(T.String({ maxLength: idLengthMax, description: 'Only this store' }))),
    ...runRequestFields({
      instead: 'Instead of the setting; 0 takes everything due',
      dry: 'Tell what would be issued and charged, and do nothing',
    }),
  },
  { additionalProperties: false },
);

/** Assesses the risk of what is about to be invoiced; returns the public IDs of stores that could not be assessed. */
export type BeforeRun = (platform: Platform, now: Date, only: Id<'store'> | null) => Promise<ReadonlySet<string>>;

export const startBillingRun = (providers: Providers, beforeRun: BeforeRun) =>
  endpoint({
    summary: 'Issue and charge what is due now, whatever the calendar says; or tell what that would be',
    access: { allow: 'operator' },
    proof: true,
    liveKeys: 'billing:run',
    body,
    reply: runJson,
    status: 201,
    audit: 'billing.run',
    prepare: ({ platform }) => refusedByHistory(platform),
    async handle({ db, identity, body: asked, now }) {
      const storeId = asked.store_id === undefined || asked.store_id === null ? null : readPublicId('store', asked.store_id);
      if (typeof asked.store_id === 'string' && (storeId === null || !(await storeExists(db, storeId)))) {
        return refuse('unprocessable', 'There is no such store.', [{ field: 'store_id', message: 'is none of a store here' }]);
      }
      const { minimum_cents: minimum = null, dry_run: isDry = false } = asked;
      const billingRunId = newId<'brun'>(now);
      const run = {
        billingRunId,
        askedStoreId: storeId,
        minimumCents: minimum === null ? null : cents(minimum),
        isDry,
        askedBy: identity.actor,
        askedByName: identity.name,
        at: now,
      };
      await insertRun(db, run);
      return showRun({ ...run, endedAt: null, result: null });
    },
    async afterCommit({ platform, now }, made) {
      const billingRunId = readPublicId('brun', made.id);
      invariant(billingRunId, 'a run has an ID');
      const ran = await unlessHistoryIsWritten(platform, async () => {
        const only = made.store_id === null ? null : readPublicId('store', made.store_id);
        const money = inBackground({ platform, providers });
        const unassessed = await beforeRun(money.platform, platform.clock.now(), only);
        return showRun(await executeBillingRun(money, billingRunId, { now, unassessed }));
      });
      return ran.is === 'history' ? historyIsWritten : ran.result;
    },
  });

function executeBillingRun(
  money: Money,
  billingRunId: Id<'brun'>,
  { now, unassessed }: { readonly now: Date; readonly unassessed: ReadonlySet<string> },
): Promise<Run> {
  const { database, clock } = money.platform;
  return executeRun({
    find: () => findRun(database, billingRunId),
    claim: (claim) => claimRun(database, billingRunId, claim),
    execute: async ({ isDry, askedStoreId: storeId, minimumCents: minimum }) => {
      const result = await (isDry ? planBillingRun : runBilling)(money, { storeId, minimum, now, unassessed });
      await endRun(database, billingRunId, result, clock.now());
    },
  });
}

export const getBillingRun = endpoint({
  summary: 'Read a billing run, with what became of it',
  access: { allow: 'operator' },
  ids: { run: 'brun' },
  reply: runJson,
  async handle({ db, ids }) {
    const run = await findRun(db, ids.run);
    return run === null ? notFound : showRun(run);
  },
});

export const listBillingRuns = endpoint({
  summary: 'The billing runs that somebody asked for, newest first',
  access: { allow: 'operator' },
  query: pageQuery,
  reply: pageOf(
    namedObject('ListedBillingRun', {
      id: T.String(),
      store_id: orNull(T.String()),
      ...listedRunFields('invoices'),
    }),
  ),
  async handle({ db, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(
      await listRuns(db, page),
      page,
      (run) => ({
        id: publicId('brun', run.billingRunId),
        store_id: run.askedStoreId === null ? null : publicId('store', run.askedStoreId),
        ...showListedRunFields(run, run.askedByName),
      }),
      (run) => [run.billingRunId],
    );
  },
});
