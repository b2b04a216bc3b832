import { Type as T } from 'typebox';
import { creatorExists } from '../creators/creators-sql.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { refuse } from '../http/responses.ts';
import { centsField, namedObject, orNull, idField } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import type { Money } from '../payments/providers.ts';
import {
  listedRunFields,
  runEndpoints,
  type RunFacts,
  runFields,
  runRequestFields,
  showListedRunFields,
  showRunFields,
} from '../money-movement/manual-runs.ts';
import type { ListedRun, NewRun, Run } from '../money-movement/manual-runs-sql.ts';
import { showPayout, stateField } from './payout-json.ts';
import { type PayeeAssessment, type PayoutOfRun, runPayouts } from './run-payouts.ts';
import { payoutRunTable, payoutsOfRun, type RunPayout, type RunResult } from './payout-runs-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

type PayoutRun = Run<'prun', 'crt', RunResult>;

const creatorIdOf = ({ scopeId }: Pick<NewRun<'prun', 'crt'>, 'scopeId'>) => (scopeId === null ? null : publicId('crt', scopeId));

const runs = runEndpoints({
  prefix: 'prun',
  table: payoutRunTable,
  liveKeys: 'payouts:run',
  audit: 'payout_run.start',
  summaries: {
    start: 'Pay now who may be paid, whatever the calendar says; or tell who that would be',
    get: 'Read a payout run, as it was answered when it was done',
    list: 'List the manually started payout runs, newest first',
  },
  body: T.Object(
    {
      creator_id: T.Optional(orNull(idField({ description: 'Limits the run to this creator' }))),
      ...runRequestFields({
        instead: 'Replaces the settings for this run; 0 includes every amount due',
        dry: 'Only return who would be paid',
      }),
    },
    { additionalProperties: false },
  ),
  readBody: ({ creator_id: scope = null, minimum_cents: minimum = null, dry_run: isDry = false }) => ({ scope, minimum, isDry }),
  scope: {
    prefix: 'crt',
    exists: creatorExists,
    unknown: refuse('unprocessable', apiMessage('payout_runs_api.creator_does_not_exist'), [
      { field: 'creator_id', message: apiMessage('payout_runs_api.not_id_creator_installation') },
    ]),
  },
  // The person who started a run may not confirm its payouts.
  userBehind: findResponsibleUser,
  reply: namedObject('PayoutRun', {
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
    failures: T.Integer({ description: 'Creators that could not be processed; the log has the cause, and the next run tries them again' }),
  }),
  show: (run: PayoutRun) => ({
    id: publicId('prun', run.runId),
    creator_id: creatorIdOf(run),
    ...showRunFields(run),
    payouts: [...(run.result?.payouts ?? [])],
    failures: run.result?.failures ?? 0,
  }),
  idOf: ({ id }) => id,
  item: namedObject('ListedPayoutRun', { id: T.String(), creator_id: orNull(T.String()), ...listedRunFields('payouts') }),
  showItem: (run: ListedRun<'prun', 'crt'>) => ({
    id: publicId('prun', run.runId),
    creator_id: creatorIdOf(run),
    ...showListedRunFields(run),
  }),
  execute: (money, run, { assessment }: RunFacts<PayeeAssessment>) => payAndReport(money, run, assessment),
});

export const startPayoutRun = runs.start;
export const getPayoutRun = runs.get;
export const listPayoutRuns = runs.list;

async function payAndReport(money: Money, run: PayoutRun, assessment: PayeeAssessment): Promise<RunResult> {
  const { database, clock } = money.platform;
  const { runId: payoutRunId, startedBy, startedByUserId, scopeId: creatorId, minimumCents: minimum, isDry } = run;
  const command = { payoutRunId, startedBy, startedByUserId, creatorId, minimum, isDry, assessment, now: clock.now() };
  const { payouts, failures } = await runPayouts(money, command);
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
