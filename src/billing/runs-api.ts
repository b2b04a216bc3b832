import { setTimeout as pause } from 'node:timers/promises';
import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { storeExists } from '../merchants/stores-sql.ts';
import { isRefusal, notFound, refuse } from '../platform/http/answers.ts';
import { isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { newId, publicId, readPublicId, type Id } from '../platform/ids.ts';
import { cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import { minuteMs, realNow } from '../platform/time.ts';
import type { Money, Providers } from '../providers/providers.ts';
import { shownInvoiceStates } from './invoice.ts';
import { planRun, runBilling } from './run.ts';
import { claimRun, endRun, findRun, insertRun, listRuns, type Run } from './runs-sql.ts';

const idLengthMax = 40;
const minimumCentsMax = 100_000_000;

const runJson = T.Object({
  id: T.String(),
  store_id: orNull(T.String()),
  minimum_cents: orNull(T.Integer()),
  dry_run: T.Boolean(),
  by: T.String(),
  by_name: T.String(),
  started_at: T.String(),
  ended_at: orNull(T.String({ description: 'Null: at work, or it died; what it left is gone on with by itself' })),
  invoices: T.Array(
    T.Object({
      id: orNull(T.String({ description: 'Null in a dry run, for what would be issued' })),
      store_id: T.String(),
      total_cents: T.Integer(),
      state: T.Enum([...shownInvoiceStates]),
    }),
  ),
});

const showRun = (run: Run): Static<typeof runJson> => ({
  id: publicId('brun', run.billingRunId),
  store_id: run.askedStoreId === null ? null : publicId('store', run.askedStoreId),
  minimum_cents: run.minimumCents === null ? null : Number(run.minimumCents),
  dry_run: run.isDry,
  by: run.askedBy,
  by_name: run.askedByName,
  started_at: isoTime(run.at),
  ended_at: isoTimeOrNull(run.endedAt),
  invoices: [...(run.result ?? [])],
});

const body = T.Object(
  {
    store_id: T.Optional(orNull(T.String({ maxLength: idLengthMax, description: 'Only this store' }))),
    minimum_cents: T.Optional(
      orNull(T.Integer({ minimum: 0, maximum: minimumCentsMax, description: 'Instead of the setting; 0 takes everything due' })),
    ),
    dry_run: T.Optional(T.Boolean({ description: 'Tell what would be issued and charged, and do nothing' })),
  },
  { additionalProperties: false },
);

/** The run is kept first, under the Idempotency-Key: sent again it goes on with that one, and gives the same answer. */
export const startBillingRun = (providers: Providers) =>
  endpoint({
    summary: 'Issue and charge what is due now, whatever the calendar says; or tell what that would be',
    access: { who: 'operator' },
    body,
    reply: runJson,
    status: 201,
    audit: 'billing.run',
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
      must(billingRunId, 'a run has an id of its own');
      return showRun(await carriedOut({ platform, providers }, billingRunId, now));
    },
  });

/** A run of many stores may take longer; who then goes on with it beside its owner does no harm. */
const claimMs = 2 * minuteMs;
const lookAgainMs = 100;
const looksMax = 6_000;

/** Carries it out, or waits for who does: it is answered when it is done. */
async function carriedOut(money: Money, billingRunId: Id<'brun'>, now: Date): Promise<Run> {
  const { database, clock } = money.platform;
  for (let look = 0; look < looksMax; look++) {
    const run = await findRun(database, billingRunId);
    must(run, 'a run that was kept is there');
    if (run.endedAt !== null) return run;
    const realTime = realNow();
    if (await claimRun(database, billingRunId, { now: realTime, until: new Date(realTime.getTime() + claimMs) })) {
      const asked = { storeId: run.askedStoreId, minimum: run.minimumCents, now };
      // It may be all stores: with the time-outs and the connections of what nobody waits for in a hurry.
      const night = { ...money, platform: { ...money.platform, database: money.platform.nightDatabase } };
      const result = await (run.isDry ? planRun : runBilling)(night, asked);
      await endRun(database, billingRunId, result, clock.now());
    } else await pause(lookAgainMs);
  }
  throw new Error('a billing run did not end in time');
}

export const getBillingRun = endpoint({
  summary: 'Read a billing run, with what became of it',
  access: { who: 'operator' },
  ids: { run: 'brun' },
  reply: runJson,
  async handle({ db, ids }) {
    const run = await findRun(db, ids.run);
    return run === null ? notFound : showRun(run);
  },
});

export const listBillingRuns = endpoint({
  summary: 'The billing runs that somebody asked for, newest first',
  access: { who: 'operator' },
  query: pageQuery,
  reply: pageOf(
    T.Object({
      id: T.String(),
      store_id: orNull(T.String()),
      dry_run: T.Boolean(),
      by_name: T.String(),
      started_at: T.String(),
      ended_at: orNull(T.String()),
      count: orNull(T.Integer({ description: 'How many invoices it tells of; null before its end' })),
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
        dry_run: run.isDry,
        by_name: run.askedByName,
        started_at: isoTime(run.at),
        ended_at: isoTimeOrNull(run.endedAt),
        count: run.count,
      }),
      (run) => [run.billingRunId],
    );
  },
});
