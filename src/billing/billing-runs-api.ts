import { Type as T } from 'typebox';
import { storeExists } from '../merchants/stores-sql.ts';
import { refuse } from '../http/responses.ts';
import { centsField, namedObject, orNull, idField } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
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
import { shownInvoiceStates } from './invoice-states.ts';
import { planBillingRun, runBilling } from './run-billing.ts';
import { billingRunTable, type RunInvoice } from './billing-runs-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const storeIdOf = ({ scopeId }: Pick<NewRun<'brun', 'store'>, 'scopeId'>) => (scopeId === null ? null : publicId('store', scopeId));

const runs = runEndpoints({
  prefix: 'brun',
  table: billingRunTable,
  liveKeys: 'billing:run',
  audit: 'billing.run',
  summaries: {
    start: 'Issue and charge all due invoices now, regardless of the schedule; or preview them with dry_run',
    get: 'Get a billing run with its results',
    list: 'List the manually started billing runs, newest first',
  },
  body: T.Object(
    {
      store_id: T.Optional(orNull(idField({ description: 'Limits the run to this store' }))),
      ...runRequestFields({
        instead: 'Replaces the setting for this run; 0 includes every amount due',
        dry: 'Only return what would be issued and charged',
      }),
    },
    { additionalProperties: false },
  ),
  readBody: ({ store_id: scope = null, minimum_cents: minimum = null, dry_run: isDry = false }) => ({ scope, minimum, isDry }),
  scope: {
    prefix: 'store',
    exists: storeExists,
    unknown: refuse('unprocessable', apiMessage('billing_runs_api.store_does_not_exist'), [
      { field: 'store_id', message: apiMessage('billing_runs_api.not_id_store_installation') },
    ]),
  },
  // Nothing in an invoice depends on the person who started the run.
  userBehind: async () => null,
  reply: namedObject('BillingRun', {
    id: T.String(),
    store_id: orNull(T.String()),
    ...runFields,
    invoices: T.Array(
      T.Object({
        id: orNull(T.String({ description: 'Null in a dry run' })),
        store_id: T.String(),
        total_cents: centsField(),
        state: T.Enum([...shownInvoiceStates]),
      }),
    ),
  }),
  show: (run: Run<'brun', 'store', readonly RunInvoice[]>) => ({
    id: publicId('brun', run.runId),
    store_id: storeIdOf(run),
    ...showRunFields(run),
    invoices: [...(run.result ?? [])],
  }),
  idOf: ({ id }) => id,
  item: namedObject('ListedBillingRun', { id: T.String(), store_id: orNull(T.String()), ...listedRunFields('invoices') }),
  showItem: (run: ListedRun<'brun', 'store'>) => ({
    id: publicId('brun', run.runId),
    store_id: storeIdOf(run),
    ...showListedRunFields(run),
  }),
  execute: (
    money,
    { isDry, scopeId: storeId, minimumCents: minimum },
    { assessment: unassessed, requestedAt: now }: RunFacts<ReadonlySet<string>>,
  ) => (isDry ? planBillingRun : runBilling)(money, { storeId, minimum, now, unassessed }),
});

export const startBillingRun = runs.start;
export const getBillingRun = runs.get;
export const listBillingRuns = runs.list;
