import * as creditNotes from '../../billing/credit-notes-api.ts';
import * as invoices from '../../billing/invoices-api.ts';
import { creditLateRefundEndpoint } from '../../billing/late-refunds-api.ts';
import { nextChargeEndpoint, nextLinesEndpoint } from '../../billing/next-charge-api.ts';
import {
  returnChargeEndpoint,
  listOpenCharges,
  listUnmatchedChargesEndpoint,
  settleChargeManually,
} from '../../billing/open-charges-api.ts';
import { getBillingRun, listBillingRuns, startBillingRun } from '../../billing/billing-runs-api.ts';
import * as billingSettings from '../../billing/billing-settings-api.ts';
import { getBalance } from '../../payouts/balance-api.ts';
import * as byHand from '../../payouts/manual-payouts-api.ts';
import * as payouts from '../../payouts/payouts-api.ts';
import { getPayoutRun, listPayoutRuns, startPayoutRun } from '../../payouts/payout-runs-api.ts';
import { getPayoutSettings, setPayoutSettings, withdrawRequestedLimit } from '../../payouts/payout-settings-api.ts';
import type { RouteEntry } from '../../people/request-pipeline.ts';
import type { Providers } from '../../payments/providers.ts';
import { assessBeforeBilling, assessBeforePayouts } from '../../risk/assess-risk.ts';
import { bookLossOfRefund, reinvoiceRefund } from '../../risk/provider-refunds-api.ts';
import * as risk from '../../risk/risk-api.ts';
import { getRiskSettings, setRiskSettings } from '../../risk/risk-settings-api.ts';
import * as disputes from '../../review/disputes.ts';
import { listReviewQueueEndpoint } from '../../review/review-queue-api.ts';

/** What stores are billed, and charged. */
export const billingRoutes = (providers: Providers): readonly RouteEntry[] => [
  ['POST', '/billing-runs', startBillingRun(providers, assessBeforeBilling)],
  ['GET', '/billing-runs', listBillingRuns],
  ['GET', '/billing-runs/:run', getBillingRun],
  ['GET', '/billing-settings', billingSettings.readSettingsEndpoint],
  ['PUT', '/billing-settings', billingSettings.writeSettingsEndpoint],
  ['DELETE', '/billing-settings/fee-rise', billingSettings.withdrawFeeRise],
  ['GET', '/stores/:store/billing', nextChargeEndpoint(providers)],
  ['GET', '/stores/:store/billing/lines', nextLinesEndpoint],
  ['GET', '/stores/:store/invoices', invoices.listInvoicesEndpoint],
  ['GET', '/stores/:store/invoices/totals', invoices.invoiceTotalsEndpoint],
  ['GET', '/stores/:store/invoices/:invoice', invoices.getInvoiceEndpoint],
  ['POST', '/stores/:store/invoices/:invoice/credit-notes', creditNotes.createCreditNote(providers)],
  ['POST', '/stores/:store/commissions/:commission/late-refunds', creditLateRefundEndpoint(providers)],
  ['GET', '/stores/:store/credit-notes', creditNotes.listCreditNotesEndpoint],
  ['GET', '/charges', listOpenCharges(providers)],
  ['POST', '/stores/:store/charges/:charge/settle', settleChargeManually(providers)],
  ['GET', '/stray-charges', listUnmatchedChargesEndpoint],
  ['POST', '/stores/:store/charges/:charge/give-back', returnChargeEndpoint],
];

/** The review queue and disputes. */
export const disputeRoutes: readonly RouteEntry[] = [
  ['GET', '/waiting-commissions', listReviewQueueEndpoint],
  ['GET', '/disputes', disputes.listAllDisputesEndpoint],
  ['GET', '/stores/:store/disputes', disputes.listDisputesEndpoint],
  ['POST', '/stores/:store/disputes/:dispute/accept', disputes.acceptDisputeEndpoint],
  ['POST', '/stores/:store/disputes/:dispute/decline', disputes.declineDisputeEndpoint],
  ['POST', '/creators/:creator/disputes', disputes.openDisputeEndpoint],
  ['GET', '/creators/:creator/disputes', disputes.listCreatorDisputesEndpoint],
];

/** What is kept back from payouts, and the operators' review of it. */
export const riskRoutes: readonly RouteEntry[] = [
  ['GET', '/risk/cases', risk.listRiskCases],
  ['GET', '/risk/cases/:case', risk.getRiskCase],
  ['POST', '/risk/cases/:case/keep', risk.keepRiskCase],
  ['POST', '/risk/cases/:case/release', risk.releaseRiskCase],
  ['POST', '/risk/cases/:case/escalate', risk.escalateRiskCase],
  ['POST', '/risk/cases/:case/book-loss', bookLossOfRefund],
  ['POST', '/risk/cases/:case/reinvoice', reinvoiceRefund],
  ['GET', '/risk/settings', getRiskSettings],
  ['PUT', '/risk/settings', setRiskSettings],
  ['GET', '/stores/:store/reserve', risk.getReserve],
  ['POST', '/stores/:store/reserve/release', risk.releaseReserveEndpoint],
];

/** What creators are paid. */
export const payoutRoutes = (providers: Providers): readonly RouteEntry[] => [
  ['GET', '/creators/:creator/balance', getBalance],
  ['GET', '/creators/:creator/payouts', payouts.listPayoutsOfCreator],
  ['GET', '/creators/:creator/payouts/:payout', payouts.getPayoutOfCreator],
  ['POST', '/payout-runs', startPayoutRun(providers, assessBeforePayouts)],
  ['GET', '/payout-runs', listPayoutRuns],
  ['GET', '/payout-runs/:run', getPayoutRun],
  ['GET', '/payouts', payouts.listAllPayouts(providers)],
  ['POST', '/payouts/:payout/confirm', byHand.confirmPayout(providers)],
  ['POST', '/payouts/:payout/refuse', byHand.refusePayout],
  ['POST', '/payouts/:payout/mark-paid', byHand.markPayoutPaid(providers)],
  ['POST', '/payouts/:payout/mark-failed', byHand.markPayoutFailed(providers)],
  ['POST', '/payouts/:payout/mark-returned', byHand.markPayoutReturned(providers)],
  ['GET', '/payout-settings', getPayoutSettings],
  ['PUT', '/payout-settings', setPayoutSettings],
  ['DELETE', '/payout-settings/second-person-request', withdrawRequestedLimit],
];
