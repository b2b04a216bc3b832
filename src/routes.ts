import * as creditNotes from './billing/credit-notes-api.ts';
import * as invoices from './billing/invoices-api.ts';
import { chargeOpen } from './billing/jobs.ts';
import { nextChargeEndpoint, nextLinesEndpoint } from './billing/next-charge-api.ts';
import { listOpenCharges } from './billing/open-charges-api.ts';
import { giveBackCharge, listStrayCharges } from './billing/stray-charges-api.ts';
import { getBillingRun, listBillingRuns, startBillingRun } from './billing/runs-api.ts';
import * as billingSettings from './billing/settings-api.ts';
import { settleChargeByHand } from './billing/settle-api.ts';
import { createTestLink, listTestLinks } from './clicks/test-links-api.ts';
import type { KeyRing } from './clicks/signing-keys.ts';
import { becomeCreatorEndpoint } from './creators/become-api.ts';
import * as connect from './creators/connect-api.ts';
import * as creators from './creators/creators-api.ts';
import * as links from './creators/links-api.ts';
import * as members from './creators/members-api.ts';
import * as memberships from './creators/memberships-api.ts';
import * as ownLinks from './creators/own-links-api.ts';
import * as tax from './creators/tax-api.ts';
import * as wantedMails from './creators/wanted-mails-api.ts';
import { checkPage } from './integration/check-api.ts';
import { readIntegration } from './integration/integration-api.ts';
import { lintReport } from './integration/lint-api.ts';
import * as postbackKeys from './merchants/keys-api.ts';
import * as payment from './merchants/payment-method-api.ts';
import * as programs from './merchants/programs-api.ts';
import { getStoreMailsEndpoint, setStoreMailsEndpoint } from './merchants/store-mails-api.ts';
import * as stores from './merchants/stores-api.ts';
import * as terms from './merchants/terms-api.ts';
import { readMetrics } from './metrics-api.ts';
import { readHealth } from './operating/health-api.ts';
import { listJobs, retryJob } from './operating/jobs-api.ts';
import { operatorsOverview } from './operating/overview-api.ts';
import { doorRefusals, trackingOfStores } from './operating/tracking-api.ts';
import { listVerificationsEndpoint } from './operating/verifications-api.ts';
import { viewCreator, viewStore } from './operating/view-api.ts';
import { getBalance } from './payouts/balance-api.ts';
import * as byHand from './payouts/by-hand-api.ts';
import * as payouts from './payouts/payouts-api.ts';
import { getPayoutRun, listPayoutRuns, startPayoutRun } from './payouts/runs-api.ts';
import { getPayoutSettings, setPayoutSettings } from './payouts/settings-api.ts';
import * as audit from './people/audit-api.ts';
import type { Endpoint } from './people/endpoint.ts';
import * as apiKeys from './people/keys-api.ts';
import * as oneTime from './people/links-api.ts';
import * as mails from './people/mails-api.ts';
import type { ApiRoute, Method } from './people/mount.ts';
import * as operators from './people/operators-api.ts';
import * as profile from './people/profile-api.ts';
import * as secondFactor from './people/second-factor-api.ts';
import * as session from './people/session-api.ts';
import * as signUp from './people/sign-up-api.ts';
import * as team from './people/team-api.ts';
import { paidYearsEndpoint } from './portal/paid-years-api.ts';
import { readPublicProgram } from './portal/program-api.ts';
import { listSalesEndpoint } from './portal/sales-api.ts';
import { listOwnSubscriptionsEndpoint } from './portal/subscriptions-api.ts';
import * as privacy from './privacy/privacy-api.ts';
import type { Providers } from './providers/providers.ts';
import { listCreatorsOfStoreEndpoint } from './reports/creators-api.ts';
import * as generalLedger from './reports/general-ledger-api.ts';
import { overviewEndpoint } from './reports/overview-api.ts';
import * as statements from './reports/statement-api.ts';
import { commissionStoryEndpoint } from './reports/story-api.ts';
import { listSubIdsEndpoint } from './reports/sub-ids-api.ts';
import * as review from './review/api.ts';
import * as disputes from './review/disputes-api.ts';
import { undoDecisionsEndpoint } from './review/undo-api.ts';
import { listWaitingEndpoint } from './review/waiting-api.ts';
import { commissionTotalsEndpoint, getCommissionEndpoint, listCommissionsEndpoint } from './review/list-api.ts';
import { simulateOrder } from './orders/simulate-api.ts';
import { moveClock, readClock } from './sandbox-clock-api.ts';
import { scheduleOf } from './schedule.ts';
import * as relationships from './subscriptions/relationships-api.ts';
import { countTrackingLog, getTrackingLogLine } from './tracking/line-api.ts';
import { listTrackingLog, streamTrackingLog, trackingLogTotals } from './tracking/log-api.ts';
import { verifyLedger } from './verify-api.ts';
import * as webhookDeliveries from './webhooks/deliveries-api.ts';
import * as webhooks from './webhooks/endpoints-api.ts';
import { rotateWebhookSecret } from './webhooks/secrets-api.ts';

/**
 * Every URL of the service, on one page. Beside the management API below:
 *
 *   POST /api/partner-network/postbacks/:trackingKey/…   the postbacks: orders/postbacks.ts, gates in contract/door.ts
 *   GET  /api/pn/sdk/v1.js, /api/pn/sdk/v1.<hash>.js      the capture script: capture/serve.ts
 *   GET  /r/:code                                         a creator's link: clicks/redirect.ts
 *   POST /api/v1/providers/:provider/news                 what payment providers tell by themselves: provider-news.ts
 *   GET  /t/:id                                           a test link: clicks/open-test-link.ts
 *   GET  /openapi.json, /docs, /docs/…                    what this page says, for programs and people; the guides
 *   GET  /healthz, /readyz                                service.ts
 *   GET  all else                                         the dashboards: platform/http/web.ts
 */
export function apiRoutes({ ring, providers }: { readonly ring: KeyRing; readonly providers: Providers }): readonly ApiRoute[] {
  const mended: payment.Mended = (platform, storeId, now) => chargeOpen({ platform, providers }, storeId, now);
  const paying = { mended, accounts: providers.accounts };
  const schedule = scheduleOf(providers);
  return [
    // Signing in
    at('GET', '/session', session.readSession),
    at('POST', '/session', session.signIn),
    at('DELETE', '/session', session.signOut),
    at('POST', '/session/proof', session.proveIdentity),
    at('GET', '/sessions', session.listSessions),
    at('DELETE', '/sessions/:session', session.endSession),
    at('POST', '/sign-ups', signUp.signUp),
    at('POST', '/password-resets', signUp.askForNewPassword),
    at('POST', '/one-time-links/read', oneTime.readLink),
    at('POST', '/one-time-links/use', oneTime.useLink),
    at('PATCH', '/profile', profile.changeProfile),
    at('PUT', '/password', profile.changePassword),
    at('GET', '/profile/export', privacy.exportMe),
    at('POST', '/profile/erase', privacy.eraseMe),
    at('POST', '/second-factor', secondFactor.beginSecondFactor),
    at('POST', '/second-factor/confirm', secondFactor.confirmSecondFactor),
    at('DELETE', '/second-factor', secondFactor.endSecondFactor),

    // A store
    at('POST', '/stores', stores.createStoreEndpoint),
    at('GET', '/stores', stores.listStoresEndpoint),
    at('GET', '/stores/:store', stores.getStoreEndpoint),
    at('PATCH', '/stores/:store', stores.changeStoreEndpoint),
    at('POST', '/stores/:store/archive', stores.archiveStoreEndpoint),
    at('POST', '/stores/:store/unarchive', stores.unarchiveStoreEndpoint),
    at('PUT', '/stores/:store/payment-method', payment.setPaymentMethodEndpoint(paying)),
    at('POST', '/stores/:store/payment-method/setup', payment.beginSetupEndpoint(providers.accounts)),
    at('PUT', '/stores/:store/backup-payment-method', payment.setBackupMethodEndpoint(paying)),
    at('POST', '/stores/:store/backup-payment-method/setup', payment.beginBackupSetupEndpoint(providers.accounts)),
    at('DELETE', '/stores/:store/backup-payment-method', payment.removeBackupMethodEndpoint(providers.accounts)),
    at('GET', '/stores/:store/payment-method', payment.getPaymentMethodEndpoint(providers.accounts)),

    // Its integration
    at('POST', '/stores/:store/integration/disable', stores.disableIntegrationEndpoint),
    at('POST', '/stores/:store/integration/enable', stores.enableIntegrationEndpoint),
    at('POST', '/stores/:store/postback-keys', postbackKeys.createPostbackKeyEndpoint),
    at('GET', '/stores/:store/postback-keys', postbackKeys.listPostbackKeysEndpoint),
    at('DELETE', '/stores/:store/postback-keys/:key', postbackKeys.deletePostbackKeyEndpoint),
    at('POST', '/stores/:store/test-links', createTestLink(ring)),
    at('GET', '/stores/:store/test-links', listTestLinks),
    at('GET', '/stores/:store/integration', readIntegration),
    at('POST', '/stores/:store/integration/check-page', checkPage),
    at('POST', '/stores/:store/lint', lintReport(ring)),
    at('GET', '/stores/:store/tracking-log', listTrackingLog),
    at('GET', '/stores/:store/tracking-log/stream', streamTrackingLog),
    at('GET', '/stores/:store/tracking-log/reasons', countTrackingLog),
    at('GET', '/stores/:store/tracking-log/totals', trackingLogTotals),
    at('GET', '/stores/:store/tracking-log/:postback', getTrackingLogLine),

    // What its own programs are told
    at('GET', '/stores/:store/webhook-endpoints', webhooks.listWebhookEndpoints),
    at('POST', '/stores/:store/webhook-endpoints', webhooks.createWebhookEndpoint),
    at('PATCH', '/stores/:store/webhook-endpoints/:endpoint', webhooks.changeWebhookEndpoint),
    at('DELETE', '/stores/:store/webhook-endpoints/:endpoint', webhooks.deleteWebhookEndpoint),
    at('POST', '/stores/:store/webhook-endpoints/:endpoint/rotate-secret', rotateWebhookSecret),
    at('POST', '/stores/:store/webhook-endpoints/:endpoint/test', webhookDeliveries.testWebhookEndpoint),
    at('GET', '/stores/:store/webhook-endpoints/:endpoint/deliveries', webhookDeliveries.listWebhookDeliveries),
    at('GET', '/stores/:store/webhook-endpoints/:endpoint/deliveries/:delivery', webhookDeliveries.getWebhookDelivery),
    at('POST', '/stores/:store/webhook-endpoints/:endpoint/deliveries/:delivery/resend', webhookDeliveries.resendWebhookDelivery),

    // Its programs
    at('POST', '/stores/:store/programs', programs.createProgramEndpoint),
    at('GET', '/stores/:store/programs', programs.listProgramsEndpoint),
    at('GET', '/stores/:store/programs/:program', programs.getProgramEndpoint),
    at('PATCH', '/stores/:store/programs/:program', programs.changeProgramEndpoint),
    at('POST', '/stores/:store/programs/:program/publish', programs.publishProgramEndpoint),
    at('POST', '/stores/:store/programs/:program/pause', programs.pauseProgramEndpoint),
    at('POST', '/stores/:store/programs/:program/terms', terms.addTermsEndpoint),
    at('GET', '/stores/:store/programs/:program/terms', terms.listTermsEndpoint),
    at('POST', '/stores/:store/programs/:program/simulate', simulateOrder),
    at('POST', '/stores/:store/programs/:program/members', members.addMemberEndpoint),
    at('GET', '/stores/:store/programs/:program/members', members.listMembersEndpoint),
    at('PATCH', '/stores/:store/programs/:program/members/:member', members.changeMemberEndpoint),
    at('POST', '/stores/:store/programs/:program/links', links.createLinkEndpoint),
    at('GET', '/stores/:store/programs/:program/links', links.listLinksEndpoint),
    at('GET', '/stores/:store/creators', listCreatorsOfStoreEndpoint),

    // Its subscriptions
    at('GET', '/stores/:store/relationships', relationships.listRelationshipsEndpoint),
    at('GET', '/stores/:store/relationships/totals', relationships.relationshipTotalsEndpoint),
    at('GET', '/stores/:store/relationships/:relationship', relationships.getRelationshipEndpoint),
    at('POST', '/stores/:store/relationships/:relationship/review', relationships.reviewRelationshipEndpoint),

    // Deciding on its commissions
    at('GET', '/stores/:store/commissions', listCommissionsEndpoint),
    at('GET', '/stores/:store/commissions/totals', commissionTotalsEndpoint),
    at('GET', '/stores/:store/commissions/:commission', getCommissionEndpoint),
    at('POST', '/stores/:store/commissions/approve', review.approveCommissionsEndpoint),
    at('POST', '/stores/:store/commissions/reject', review.rejectCommissionsEndpoint),
    at('POST', '/stores/:store/commissions/reopen', review.reopenCommissionsEndpoint),
    at('POST', '/stores/:store/commissions/hold', review.holdCommissionsEndpoint),
    at('POST', '/stores/:store/commissions/release', review.releaseCommissionsEndpoint),
    at('POST', '/stores/:store/commissions/undo', undoDecisionsEndpoint),
    at('GET', '/stores/:store/commissions/:commission/decisions', review.listDecisionsEndpoint),

    // Billing
    at('POST', '/billing-runs', startBillingRun(providers)),
    at('GET', '/billing-runs', listBillingRuns),
    at('GET', '/billing-runs/:run', getBillingRun),
    at('GET', '/billing-settings', billingSettings.readSettingsEndpoint),
    at('PUT', '/billing-settings', billingSettings.writeSettingsEndpoint),
    at('GET', '/stores/:store/billing', nextChargeEndpoint(providers)),
    at('GET', '/stores/:store/billing/lines', nextLinesEndpoint),
    at('GET', '/stores/:store/invoices', invoices.listInvoicesEndpoint),
    at('GET', '/stores/:store/invoices/totals', invoices.invoiceTotalsEndpoint),
    at('GET', '/stores/:store/invoices/:invoice', invoices.getInvoiceEndpoint),
    at('POST', '/stores/:store/invoices/:invoice/credit-notes', creditNotes.createCreditNote(providers)),
    at('GET', '/stores/:store/credit-notes', creditNotes.listCreditNotesEndpoint),
    at('GET', '/charges', listOpenCharges(providers)),
    at('POST', '/stores/:store/charges/:charge/settle', settleChargeByHand(providers)),
    at('GET', '/stray-charges', listStrayCharges),
    at('POST', '/stores/:store/charges/:charge/give-back', giveBackCharge),

    // What waits for somebody's word, and disputes
    at('GET', '/waiting-commissions', listWaitingEndpoint),
    at('GET', '/disputes', disputes.listAllDisputesEndpoint),
    at('GET', '/stores/:store/disputes', disputes.listDisputesEndpoint),
    at('POST', '/stores/:store/disputes/:dispute/accept', disputes.acceptDisputeEndpoint),
    at('POST', '/stores/:store/disputes/:dispute/decline', disputes.declineDisputeEndpoint),
    at('POST', '/creators/:creator/disputes', disputes.openDisputeEndpoint),
    at('GET', '/creators/:creator/disputes', disputes.listCreatorDisputesEndpoint),

    // Its people
    at('GET', '/stores/:store/team', team.listTeam),
    at('PATCH', '/stores/:store/team/:user', team.changeRole),
    at('DELETE', '/stores/:store/team/:user', team.removeFromTeam),
    at('GET', '/stores/:store/invitations', team.listStoreInvitations),
    at('POST', '/stores/:store/invitations', team.inviteToStore),
    at('DELETE', '/stores/:store/invitations/:invitation', team.withdrawStoreInvitation),
    at('GET', '/stores/:store/api-keys', apiKeys.listStoreKeys),
    at('POST', '/stores/:store/api-keys', apiKeys.makeStoreKey),
    at('DELETE', '/stores/:store/api-keys/:key', apiKeys.revokeStoreKey),
    at('POST', '/stores/:store/customers/export', privacy.exportCustomerEndpoint),
    at('POST', '/stores/:store/customers/erase', privacy.eraseCustomerEndpoint),
    at('GET', '/stores/:store/audit-log', audit.readStoreAuditLog),
    at('GET', '/stores/:store/mails', mails.readStoreOutbox),
    at('GET', '/stores/:store/notifications', getStoreMailsEndpoint),
    at('PUT', '/stores/:store/notifications', setStoreMailsEndpoint),

    // Figures and statements
    at('GET', '/stores/:store/overview', overviewEndpoint),
    at('GET', '/stores/:store/commissions/:commission/story', commissionStoryEndpoint),
    at('GET', '/stores/:store/statement', statements.storeStatementEndpoint),
    at('GET', '/creators/:creator/statement', statements.creatorStatementEndpoint),

    // Creators
    at('POST', '/creators', creators.createCreatorEndpoint),
    at('GET', '/creators', creators.listCreatorsEndpoint),
    at('GET', '/creators/:creator', creators.getCreatorEndpoint),
    at('POST', '/creators/:creator/suspend', creators.suspendCreatorEndpoint),
    at('POST', '/creators/:creator/unsuspend', creators.unsuspendCreatorEndpoint),
    at('PUT', '/creators/:creator/payout-method', creators.setPayoutMethodEndpoint),
    at('POST', '/creators/:creator/payout-method/connect', connect.beginConnectEndpoint(providers.accounts)),
    at('PUT', '/creators/:creator/payout-method/connect', connect.finishConnectEndpoint(providers.accounts)),
    at('PUT', '/creators/:creator/payout-minimum', creators.setPayoutMinimumEndpoint),
    at('GET', '/creators/:creator/export', privacy.exportCreator),
    at('POST', '/creators/:creator/invitations', operators.inviteCreator),
    at('GET', '/creators/:creator/api-keys', apiKeys.listCreatorKeys),
    at('POST', '/creators/:creator/api-keys', apiKeys.makeCreatorKey),
    at('DELETE', '/creators/:creator/api-keys/:key', apiKeys.revokeCreatorKey),

    // Portal
    at('POST', '/creators/me', becomeCreatorEndpoint),
    at('GET', '/programs/:program', readPublicProgram),
    at('POST', '/programs/:program/applications', memberships.applyEndpoint),
    at('GET', '/creators/:creator/memberships', memberships.listMembershipsEndpoint),
    at('GET', '/creators/:creator/links', ownLinks.listOwnLinksEndpoint),
    at('POST', '/creators/:creator/links', ownLinks.createOwnLinkEndpoint),
    at('GET', '/creators/:creator/sub-ids', listSubIdsEndpoint),
    at('GET', '/creators/:creator/commissions', listSalesEndpoint),
    at('GET', '/creators/:creator/subscriptions', listOwnSubscriptionsEndpoint),
    at('GET', '/creators/:creator/tax-details', tax.getTaxDetailsEndpoint),
    at('PUT', '/creators/:creator/tax-details', tax.setTaxDetailsEndpoint),
    at('GET', '/creators/:creator/paid-years', paidYearsEndpoint),
    at('GET', '/creators/:creator/notifications', wantedMails.getWantedMailsEndpoint),
    at('PUT', '/creators/:creator/notifications', wantedMails.setWantedMailsEndpoint),

    // Payouts
    at('GET', '/creators/:creator/balance', getBalance),
    at('GET', '/creators/:creator/payouts', payouts.listPayoutsOfCreator),
    at('GET', '/creators/:creator/payouts/:payout', payouts.getPayoutOfCreator),
    at('POST', '/payout-runs', startPayoutRun(providers)),
    at('GET', '/payout-runs', listPayoutRuns),
    at('GET', '/payout-runs/:run', getPayoutRun),
    at('GET', '/payouts', payouts.listAllPayouts),
    at('POST', '/payouts/:payout/confirm', byHand.confirmPayout(providers)),
    at('POST', '/payouts/:payout/refuse', byHand.refusePayout),
    at('POST', '/payouts/:payout/mark-paid', byHand.markPayoutPaid(providers)),
    at('POST', '/payouts/:payout/mark-failed', byHand.markPayoutFailed(providers)),
    at('POST', '/payouts/:payout/mark-returned', byHand.markPayoutReturned(providers)),
    at('GET', '/payout-settings', getPayoutSettings),
    at('PUT', '/payout-settings', setPayoutSettings),

    // Operating
    at('GET', '/overview', operatorsOverview),
    at('POST', '/stores/:store/view', viewStore),
    at('POST', '/creators/:creator/view', viewCreator),
    at('GET', '/tracking', trackingOfStores),
    at('GET', '/door-refusals', doorRefusals),
    at('GET', '/health', readHealth),
    at('GET', '/jobs', listJobs(schedule)),
    at('POST', '/jobs/retry', retryJob(schedule)),
    at('GET', '/operators', operators.listOperators),
    at('DELETE', '/operators/:user', operators.removeOperator),
    at('GET', '/operator-invitations', operators.listOperatorInvitations),
    at('POST', '/operator-invitations', operators.inviteOperator),
    at('DELETE', '/operator-invitations/:invitation', operators.withdrawOperatorInvitation),
    at('POST', '/people/find', privacy.findPerson),
    at('GET', '/people/:user/export', privacy.exportPerson),
    at('POST', '/people/:user/erase', privacy.erasePerson),
    at('POST', '/creators/:creator/erase', privacy.eraseCreatorEndpoint),
    at('GET', '/api-keys', apiKeys.listOperatorKeys),
    at('POST', '/api-keys', apiKeys.makeOperatorKey),
    at('DELETE', '/api-keys/:key', apiKeys.revokeOperatorKey),
    at('GET', '/audit-log', audit.readAuditLog),
    at('GET', '/mails', mails.readOutbox),
    at('GET', '/mails/:mail', mails.readMail),
    at('GET', '/ledger', generalLedger.readLedgerEndpoint),
    at('GET', '/ledger/export', generalLedger.exportLedgerEndpoint),
    at('POST', '/ledger/verify', verifyLedger),
    at('GET', '/ledger/verifications', listVerificationsEndpoint),
    { method: 'GET', path: '/metrics', endpoint: readMetrics(schedule) },
    at('GET', '/sandbox/clock', readClock),
    at('POST', '/sandbox/clock', moveClock(providers)),
  ];
}

const at = (method: Method, path: string, endpoint: Endpoint): ApiRoute => ({ method, path: `/api/v1${path}`, endpoint });
