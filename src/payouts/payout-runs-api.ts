import { type Static, Type as T } from 'typebox';
import { creatorExists } from '../creators/creators-sql.ts';
import { endpoint } from '../people/endpoint.ts';
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
import { showPayout, stateField } from './payout-json.ts';
import { type PayoutOfRun, runPayouts } from './run-payouts.ts';
import {
  claimRun,
  endRun,
  findRun,
  insertRun,
  listRuns,
  payoutsOfRun,
  type Run,
  type RunPayout,
  type RunResult,
} from './payout-runs-sql.ts';
import { findResponsibleUser } from '../people/identify.ts';

const runJson = namedObject('PayoutRun', {
  id: T.String(),
  creator_id: orNull(T.String()),
  ...runFields,
  payouts: T.Array(
    T.Object({
      id: orNull(T.String({ description: 'Null in a dry run' })),
      creator_id: T.String(),
      amount_cents: centsField(),
      state: stateField,
    }),
  ),
  failures: T.Integer({ description: 'Creators who could not be looked at; the log says why, and they are due again the next time' }),
});

const showRun = (run: Run): Static<typeof runJson> => ({
  id: publicId('prun', run.payoutRunId),
  creator_id: run.askedFor === null ? null : publicId('crt', run.askedFor),
  ...showRunFields(run, { by: run.startedBy, byName: run.startedByName }),
  payouts: [...(run.result?.payouts ?? [])],
  failures: run.result?.failures ?? 0,
});

const body = T.Object(
  {
    creator_id: T.Optional(orNull(T.String({ maxLength: idLengthMax, description: 'Only this creator' }))),
    ...runRequestFields({ instead: 'Instead of the settings; 0 takes everything due', dry: 'Tell who would be paid, and pay nobody' }),
  },
  { additionalProperties: false },
);

/** Assesses the risk of what is about to be paid; returns the public IDs of those that could not be assessed. */
export type BeforeRun = (platform: Platform, now: Date, only: Id<'crt'> | null) => Promise<ReadonlySet<string>>;

export const startPayoutRun = (providers: Providers, beforeRun: BeforeRun) =>
  endpoint({
    summary: 'Pay now who may be paid, whatever the calendar says; or tell who that would be',
    access: { allow: 'operator' },
    proof: true,
    liveKeys: 'payouts:run',
    body,
    reply: runJson,
    status: 201,
    audit: 'payout_run.start',
    prepare: ({ platform }) => refusedByHistory(platform),
    async handle({ db, identity, body: asked, now }) {
      const { creator_id: named = null, minimum_cents: minimum = null, dry_run: isDry = false } = asked;
      const askedFor = named === null ? null : readPublicId('crt', named);
      if (named !== null && (askedFor === null || !(await creatorExists(db, askedFor)))) {
        return refuse('unprocessable', 'There is no such creator.', [{ field: 'creator_id', message: 'is none of a creator here' }]);
      }
      const run = {
        payoutRunId: newId<'prun'>(now),
        askedFor,
        minimumCents: minimum === null ? null : cents(minimum),
        isDry,
        startedBy: identity.actor,
        startedByName: identity.name,
        startedByUserId: await findResponsibleUser(db, identity),
        at: now,
      };
      await insertRun(db, run);
      return showRun({ ...run, endedAt: null, result: null });
    },
    async afterCommit({ platform }, made) {
      const payoutRunId = readPublicId('prun', made.id);
      invariant(payoutRunId, 'a run has an ID');
      const ran = await unlessHistoryIsWritten(platform, async () => {
        const only = made.creator_id === null ? null : readPublicId('crt', made.creator_id);
        const money = inBackground({ platform, providers });
        const unassessed = await beforeRun(money.platform, platform.clock.now(), only);
        return showRun(await executePayoutRun(money, payoutRunId, unassessed));
      });
      return ran.is === 'history' ? historyIsWritten : ran.result;
    },
  });

function executePayoutRun(money: Money, payoutRunId: Id<'prun'>, unassessed: ReadonlySet<string>): Promise<Run> {
  const { database, clock } = money.platform;
  return executeRun({
    find: () => findRun(database, payoutRunId),
    claim: (claim) => claimRun(database, payoutRunId, claim),
    execute: async (run) => endRun(database, payoutRunId, await resultOf(money, run, unassessed), clock.now()),
  });
}

async function resultOf(money: Money, run: Run, unassessed: ReadonlySet<string>): Promise<RunResult> {
  const { database, clock } = money.platform;
  const { payoutRunId, startedBy, startedByUserId, askedFor: creatorId, minimumCents: minimum, isDry } = run;
  const asked = { payoutRunId, startedBy, startedByUserId, creatorId, minimum, isDry, unassessed, now: clock.now() };
  const { payouts, failures } = await runPayouts(money, asked);
  return { payouts: isDry ? payouts.map(showPlanned) : (await payoutsOfRun(database, payoutRunId)).map(showCreated), failures };
}

const showPlanned = ({ creatorId, amount, state }: PayoutOfRun): RunPayout => ({
  id: null,
  creator_id: publicId('crt', creatorId),
  amount_cents: amount,
  state,
});

function showCreated(payout: Parameters<typeof showPayout>[0]): RunPayout {
  const { id, creator_id: creator, amount_cents: amount, state } = showPayout(payout);
  return { id, creator_id: creator, amount_cents: amount, state };
}

export const getPayoutRun = endpoint({
  summary: 'Read a payout run, as it was answered when it was done',
  access: { allow: 'operator' },
  ids: { run: 'prun' },
  reply: runJson,
  async handle({ db, ids }) {
    const run = await findRun(db, ids.run);
    return run === null ? notFound : showRun(run);
  },
});

export const listPayoutRuns = endpoint({
  summary: 'The payout runs that somebody asked for, newest first',
  access: { allow: 'operator' },
  query: pageQuery,
  reply: pageOf(
    namedObject('ListedPayoutRun', {
      id: T.String(),
      creator_id: orNull(T.String()),
      ...listedRunFields('payouts'),
    }),
  ),
  async handle({ db, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(
      await listRuns(db, page),
      page,
      (run) => ({
        id: publicId('prun', run.payoutRunId),
        creator_id: run.askedFor === null ? null : publicId('crt', run.askedFor),
        ...showListedRunFields(run, run.startedByName),
      }),
      (run) => [run.payoutRunId],
    );
  },
});
