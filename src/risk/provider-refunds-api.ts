import type { RefundRefusal } from '../billing/decide-provider-refund.ts';
import { bookLoss, lockRefunded, type RefundResult, reinvoice, undoDisputes } from '../billing/chargebacks.ts';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction, type Queryable } from '../db/database.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { isRefusal, notFound, type Refusal, refuse } from '../http/responses.ts';
import { type Id, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Identity } from '../people/identity.ts';
import type { Resolution } from './risk-case.ts';
import { findCase, lockCase } from './cases-sql.ts';
import { releaseLocked, releaserRefusal } from './release-case.ts';
import { caseJson, isClosed, reasonBody, presentCase } from './risk-api.ts';
import { listRefundsOfCase } from './warnings-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const access = { allow: 'operator' } as const;
const ids = { case: 'case' } as const;

const refusals: Readonly<Record<RefundRefusal, Refusal>> = {
  not_charged: refuse('conflict', apiMessage('provider_refunds_api.end_charge_not_known_yet')),
  taken_back: refuse('conflict', apiMessage('provider_refunds_api.charge_taken_back_already_by')),
  amount_unknown: refuse('unprocessable', apiMessage('provider_refunds_api.payment_provider_did_not_report')),
  in_part: refuse('unprocessable', apiMessage('provider_refunds_api.only_charge_refunded_full_can')),
  nothing_left: refuse('conflict', apiMessage('provider_refunds_api.everything_refunded_booked_as_loss')),
};

const notARefund = refuse('unprocessable', apiMessage('provider_refunds_api.only_case_about_refund_at'));

type ResolveCommand = {
  readonly platform: Platform;
  readonly db: Queryable;
  readonly identity: Identity;
  readonly ids: { readonly case: Id<'case'> };
  readonly body: { readonly reason: string };
  readonly now: Date;
};

/**
 * Books the refund and releases the case. Locks the invoice and its charges before the case, as the handler of a provider event locks
 * the charge before the case. An amount that is reported meanwhile waits, and opens another case.
 */
async function resolveRefund(command: ResolveCommand, resolution: Resolution) {
  const { platform, db: tx, identity, now } = command;
  const caseId = command.ids.case;
  invariant(isTransaction(tx), 'a change must run in a transaction');
  const found = await findCase(tx, caseId);
  if (found === null) return notFound;
  const { rule, storeId, invoiceId } = found;
  if (rule !== 'outside_refund' || storeId === null || invoiceId === null) return notARefund;
  const chargeIds = await lockRefunded(tx, { storeId, invoiceId });
  const riskCase = await lockCase(tx, caseId);
  invariant(riskCase, 'cases are never deleted');
  if (riskCase.state === 'released') return isClosed;
  const own = await releaserRefusal(tx, { platform, identity }, riskCase);
  if (own !== null) return own;
  const refunds = await listRefundsOfCase(tx, { storeId, caseId, chargeIds });
  const end = await book(resolution, { storeId, invoiceId, caseId, refunds, at: now });
  if (end.is === 'refused') return refusals[end.why];
  const by = { byActor: identity.actor, byName: identity.name };
  const details = { resolution, amountCents: String(end.amount) };
  await releaseLocked(tx, riskCase, { reason: command.body.reason, ...by, details, at: now });
  return presentCase(tx, caseId);

  function book(how: Resolution, what: Parameters<typeof bookLoss>[1]): Promise<RefundResult> {
    invariant(isTransaction(tx), 'a change must run in a transaction');
    return how === 'loss_booked' ? bookLoss(tx, what) : reinvoice(tx, platform, what);
  }
}

export const bookLossOfRefund = endpoint({
  summary: 'Book a refund made at the payment provider as a loss of the operator, and release the case: its creators are paid',
  access,
  proof: true,
  ids,
  body: reasonBody,
  reply: caseJson,
  audit: 'risk_case.loss_booked',
  handle: (command) => resolveRefund(command, 'loss_booked'),
});

export const reinvoiceRefund = endpoint({
  summary: 'Reopen an invoice whose charge was refunded in full at the payment provider, and release the case',
  access,
  proof: true,
  ids,
  body: reasonBody,
  reply: caseJson,
  audit: 'risk_case.reinvoiced',
  handle: (command) => resolveRefund(command, 'reinvoiced'),
  async afterCommit({ platform, ids: { case: caseId } }, made) {
    if (isRefusal(made)) return made;
    const found = await findCase(platform.database, caseId);
    // The ledger is correct already; if this fails, a job resumes with the commissions.
    await undoDisputes(platform, found?.storeId ?? null).catch((error: unknown) =>
      platform.log.error(
        { case: publicId('case', caseId), error: errorForLog(error) },
        'risk: commissions of a refund could not be taken back',
      ),
    );
    return presentCase(platform.database, caseId);
  },
});
