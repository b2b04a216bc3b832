import * as bonuses from '../../bonuses/bonuses-api.ts';
import { chargeOpenInvoices } from '../../billing/run-billing.ts';
import type { PageInspector } from '../../capture/page-inspector.ts';
import type { KeyRing } from '../../clicks/signing-keys.ts';
import { createTestLink, listTestLinks } from '../../clicks/test-links-api.ts';
import { endTestLinks } from '../../clicks/test-links-sql.ts';
import * as notes from '../../creators/creator-notes-api.ts';
import * as links from '../../creators/links-api.ts';
import { countLinkOrigins, moveLinkDestinations } from '../../creators/links-sql.ts';
import * as members from '../../creators/members-api.ts';
import { checkPage } from '../../integration/check-page-api.ts';
import { readIntegration } from '../../integration/integration-api.ts';
import { lintReport } from '../../integration/lint-api.ts';
import * as postbackKeys from '../../merchants/postback-keys.ts';
import * as payment from '../../merchants/payment-methods.ts';
import { setQuestionsEndpoint } from '../../merchants/application-questions.ts';
import * as assets from '../../merchants/program-assets.ts';
import * as programs from '../../merchants/programs.ts';
import * as programPages from '../../merchants/program-page-api.ts';
import * as stores from '../../merchants/stores.ts';
import * as terms from '../../merchants/program-terms.ts';
import { getMemberRatesEndpoint } from '../../commissions/own-rates-api.ts';
import * as groups from '../../creators/member-groups-api.ts';
import { findGroupsOfNamed, findRateSubjects } from '../../creators/rate-subjects-sql.ts';
import { cancelTermsEndpoint } from '../../merchants/cancel-terms.ts';
import { listAcceptancesEndpoint } from '../../commissions/next-terms-api.ts';
import * as termsChanges from '../../merchants/terms-changes-api.ts';
import * as codes from '../../creators/discount-codes-api.ts';
import { simulateLead } from '../../leads/simulate-lead-api.ts';
import { getBudgetEndpoint } from '../../orders/budget-api.ts';
import { simulateOrder } from '../../orders/simulate-api.ts';
import type { RouteEntry } from '../../people/request-pipeline.ts';
import type { Providers } from '../../payments/providers.ts';
import * as imports from '../../outreach/imports-api.ts';
import { moveImportedMembersEndpoint } from '../../outreach/move-imported-members.ts';
import * as creatorMessages from '../../outreach/messages-api.ts';
import * as invitations from '../../outreach/invitations-api.ts';
import { getStoreLeaderboardEndpoint, removeLeaderboardNameEndpoint, setStoreLeaderboardEndpoint } from '../../portal/leaderboards-api.ts';
import * as profiles from '../../reports/creator-profile-api.ts';
import { listCreatorsOfStoreEndpoint } from '../../reports/store-creators-api.ts';
import * as review from '../../review/bulk-review.ts';
import {
  commissionTotalsEndpoint,
  getCommissionEndpoint,
  listCommissionsEndpoint,
  listDecisionsEndpoint,
} from '../../review/commissions-api.ts';
import { undoDecisionsEndpoint } from '../../review/undo-review.ts';
import * as relationships from '../../subscriptions/relationships-api.ts';
import { countTrackingLog, getTrackingLogLine, listTrackingLog, streamTrackingLog, trackingLogTotals } from '../../tracking/log-api.ts';
import { createShopifyCode } from '../../shopify-orders/codes-api.ts';
import { connectShopifyWithOwnApp, deleteShopifyConnection, getShopifyConnection } from '../../shopify-orders/connection-api.ts';
import { beginShopifyInstall, completeShopifyInstall } from '../../shopify-orders/install-api.ts';
import { listShopifyOrders, retryShopifyOrder } from '../../shopify-orders/orders-api.ts';
import { deleteStripeConnection, getStripeConnection, saveStripeConnection } from '../../stripe-orders/connection-api.ts';
import { listStripeEvents, retryStripeEvent } from '../../stripe-orders/events-api.ts';
import * as webhookDeliveries from '../../webhooks/deliveries-api.ts';
import * as webhooks from '../../webhooks/endpoints-api.ts';
import { rotateWebhookSecret } from '../../webhooks/secrets-api.ts';

type Needs = { readonly ring: KeyRing; readonly providers: Providers; readonly inspector: PageInspector };

/** A store, and what proves its integration. */
export function storeRoutes({ ring, providers, inspector }: Needs): readonly RouteEntry[] {
  const chargeOutstanding: payment.ChargeOutstanding = (platform, storeId, now) =>
    chargeOpenInvoices({ platform, providers }, storeId, now);
  const paying = { chargeOutstanding, accounts: providers.accounts };
  const linksOfStore = { landingOrigins: countLinkOrigins, movePages: moveLinkDestinations, endTestLinks };
  return [
    ['POST', '/stores', stores.createStoreEndpoint],
    ['GET', '/stores', stores.listStoresEndpoint],
    ['GET', '/stores/:store', stores.getStoreEndpoint],
    ['PATCH', '/stores/:store', stores.changeStoreEndpoint(linksOfStore)],
    ['POST', '/stores/:store/archive', stores.archiveStoreEndpoint],
    ['POST', '/stores/:store/unarchive', stores.unarchiveStoreEndpoint],
    ['PUT', '/stores/:store/payment-method', payment.setPaymentMethodEndpoint(paying)],
    ['POST', '/stores/:store/payment-method/setup', payment.beginSetupEndpoint(providers.accounts)],
    ['PUT', '/stores/:store/backup-payment-method', payment.setBackupMethodEndpoint(paying)],
    ['POST', '/stores/:store/backup-payment-method/setup', payment.beginBackupSetupEndpoint(providers.accounts)],
    ['DELETE', '/stores/:store/backup-payment-method', payment.removeBackupMethodEndpoint(providers.accounts)],
    ['GET', '/stores/:store/payment-method', payment.getPaymentMethodEndpoint(providers.accounts)],

    // Its integration
    ['POST', '/stores/:store/integration/disable', stores.disableIntegrationEndpoint],
    ['POST', '/stores/:store/integration/enable', stores.enableIntegrationEndpoint],
    ['POST', '/stores/:store/postback-keys', postbackKeys.createPostbackKeyEndpoint],
    ['GET', '/stores/:store/postback-keys', postbackKeys.listPostbackKeysEndpoint],
    ['DELETE', '/stores/:store/postback-keys/:key', postbackKeys.deletePostbackKeyEndpoint],
    ['POST', '/stores/:store/test-links', createTestLink(ring)],
    ['GET', '/stores/:store/test-links', listTestLinks],
    ['GET', '/stores/:store/integration', readIntegration],
    ['POST', '/stores/:store/integration/check-page', checkPage(inspector)],
    ['POST', '/stores/:store/lint', lintReport(ring)],
    ['GET', '/stores/:store/tracking-log', listTrackingLog],
    ['GET', '/stores/:store/tracking-log/stream', streamTrackingLog],
    ['GET', '/stores/:store/tracking-log/reasons', countTrackingLog],
    ['GET', '/stores/:store/tracking-log/totals', trackingLogTotals],
    ['GET', '/stores/:store/tracking-log/:postback', getTrackingLogLine],
  ];
}

/** Webhooks of a store. */
export const webhookRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/webhook-endpoints', webhooks.listWebhookEndpoints],
  ['POST', '/stores/:store/webhook-endpoints', webhooks.createWebhookEndpoint],
  ['PATCH', '/stores/:store/webhook-endpoints/:endpoint', webhooks.changeWebhookEndpoint],
  ['DELETE', '/stores/:store/webhook-endpoints/:endpoint', webhooks.deleteWebhookEndpoint],
  ['POST', '/stores/:store/webhook-endpoints/:endpoint/rotate-secret', rotateWebhookSecret],
  ['POST', '/stores/:store/webhook-endpoints/:endpoint/test', webhookDeliveries.testWebhookEndpoint],
  ['GET', '/stores/:store/webhook-endpoints/:endpoint/deliveries', webhookDeliveries.listWebhookDeliveries],
  ['GET', '/stores/:store/webhook-endpoints/:endpoint/deliveries/:delivery', webhookDeliveries.getWebhookDelivery],
  ['POST', '/stores/:store/webhook-endpoints/:endpoint/deliveries/:delivery/resend', webhookDeliveries.resendWebhookDelivery],
];

/** The Stripe account of a store, whose events are its reports. */
export const stripeRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/stripe', getStripeConnection],
  ['PUT', '/stores/:store/stripe', saveStripeConnection],
  ['DELETE', '/stores/:store/stripe', deleteStripeConnection],
  ['GET', '/stores/:store/stripe/events', listStripeEvents],
  ['POST', '/stores/:store/stripe/events/:event/retry', retryStripeEvent],
];

/** The Shopify shop of a store, whose orders are reported. */
export const shopifyRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/shopify', getShopifyConnection],
  ['PUT', '/stores/:store/shopify', connectShopifyWithOwnApp],
  ['DELETE', '/stores/:store/shopify', deleteShopifyConnection],
  ['POST', '/stores/:store/shopify/install', beginShopifyInstall],
  ['POST', '/stores/:store/shopify/install/complete', completeShopifyInstall],
  ['GET', '/stores/:store/shopify/orders', listShopifyOrders],
  ['POST', '/stores/:store/shopify/orders/:order/retry', retryShopifyOrder],
  ['POST', '/stores/:store/shopify/codes', createShopifyCode],
];

/** Its programs, their terms, members and links. */
export const programRoutes: readonly RouteEntry[] = [
  ['POST', '/stores/:store/programs', programs.createProgramEndpoint],
  ['GET', '/stores/:store/programs', programs.listProgramsEndpoint],
  ['GET', '/stores/:store/programs/:program', programs.getProgramEndpoint],
  ['PATCH', '/stores/:store/programs/:program', programs.changeProgramEndpoint],
  ['PUT', '/stores/:store/programs/:program/questions', setQuestionsEndpoint],
  ['GET', '/stores/:store/programs/:program/leaderboard', getStoreLeaderboardEndpoint],
  ['PUT', '/stores/:store/programs/:program/leaderboard', setStoreLeaderboardEndpoint],
  ['GET', '/stores/:store/programs/:program/page', programPages.getProgramPageEndpoint],
  ['PUT', '/stores/:store/programs/:program/page', programPages.setProgramPageEndpoint],
  ['PUT', '/stores/:store/programs/:program/page/logo', programPages.setLogoEndpoint],
  ['DELETE', '/stores/:store/programs/:program/page/logo', programPages.removeLogoEndpoint],
  ['POST', '/stores/:store/programs/:program/publish', programs.publishProgramEndpoint],
  ['POST', '/stores/:store/programs/:program/pause', programs.pauseProgramEndpoint],
  ['POST', '/stores/:store/programs/:program/terms', terms.addTermsEndpoint(findRateSubjects, findGroupsOfNamed)],
  ['GET', '/stores/:store/programs/:program/terms', terms.listTermsEndpoint],
  ['POST', '/stores/:store/programs/:program/terms/cancel', cancelTermsEndpoint],
  ['GET', '/stores/:store/programs/:program/terms/acceptances', listAcceptancesEndpoint],
  ['GET', '/stores/:store/programs/:program/terms-changes', termsChanges.termsChangesEndpoint],
  ['POST', '/stores/:store/programs/:program/terms-preview', termsChanges.previewTermsEndpoint(findRateSubjects, findGroupsOfNamed)],
  ['GET', '/stores/:store/programs/:program/terms-file', termsChanges.exportTermsEndpoint],
  ['POST', '/stores/:store/programs/:program/simulate', simulateOrder],
  ['POST', '/stores/:store/programs/:program/simulate-lead', simulateLead],
  ['GET', '/stores/:store/programs/:program/budget', getBudgetEndpoint],
  ['POST', '/stores/:store/programs/:program/members', members.addMemberEndpoint],
  ['GET', '/stores/:store/programs/:program/members', members.listMembersEndpoint],
  ['PATCH', '/stores/:store/programs/:program/members/:member', members.changeMemberEndpoint],
  ['PUT', '/stores/:store/programs/:program/members/:member/group', groups.moveMemberEndpoint],
  ['GET', '/stores/:store/programs/:program/members/:member/rates', getMemberRatesEndpoint],
  ['POST', '/stores/:store/programs/:program/groups', groups.createGroupEndpoint],
  ['GET', '/stores/:store/programs/:program/groups', groups.listGroupsEndpoint],
  ['PATCH', '/stores/:store/programs/:program/groups/:group', groups.renameGroupEndpoint],
  ['POST', '/stores/:store/programs/:program/members/:member/remove-display-name', removeLeaderboardNameEndpoint],
  ['POST', '/stores/:store/programs/:program/links', links.createLinkEndpoint],
  ['GET', '/stores/:store/programs/:program/links', links.listLinksEndpoint],
  ['GET', '/stores/:store/programs/:program/assets', assets.listAssetsEndpoint],
  ['POST', '/stores/:store/programs/:program/assets', assets.addTextEndpoint],
  ['POST', '/stores/:store/programs/:program/asset-files', assets.uploadAssetEndpoint],
  ['GET', '/stores/:store/programs/:program/assets/:asset/file', assets.getAssetFileEndpoint],
  ['DELETE', '/stores/:store/programs/:program/assets/:asset', assets.deleteAssetEndpoint],
  ['POST', '/stores/:store/programs/:program/bonuses', bonuses.addBonusEndpoint],
  ['GET', '/stores/:store/bonuses', bonuses.listBonusesEndpoint],
  ['GET', '/stores/:store/bonuses/:bonus', bonuses.getBonusEndpoint],
  ['POST', '/stores/:store/programs/:program/codes', codes.createCodeEndpoint],
  ['GET', '/stores/:store/codes', codes.listCodesEndpoint],
  ['GET', '/stores/:store/codes/:code', codes.getCodeEndpoint],
  ['PATCH', '/stores/:store/codes/:code', codes.changeCodeEndpoint],
  ['GET', '/stores/:store/creators', listCreatorsOfStoreEndpoint],
  ['GET', '/stores/:store/creators/:creator', profiles.getCreatorProfileEndpoint],
  ['GET', '/stores/:store/creators/:creator/links', profiles.listLinksOfCreatorEndpoint],
  ['GET', '/stores/:store/creators/:creator/history', profiles.listCreatorHistoryEndpoint],
  ['GET', '/stores/:store/creators/:creator/notes', notes.listNotesEndpoint],
  ['POST', '/stores/:store/creators/:creator/notes', notes.addNoteEndpoint],
  ['PATCH', '/stores/:store/creators/:creator/notes/:note', notes.changeNoteEndpoint],
  ['DELETE', '/stores/:store/creators/:creator/notes/:note', notes.deleteNoteEndpoint],
  ['POST', '/stores/:store/creator-invitations', invitations.inviteCreatorsEndpoint],
  ['GET', '/stores/:store/creator-invitations', invitations.listInvitationsEndpoint],
  ['POST', '/stores/:store/creator-invitations/:invitation/resend', invitations.resendInvitationEndpoint],
  ['DELETE', '/stores/:store/creator-invitations/:invitation', invitations.revokeInvitationEndpoint],
  ['POST', '/stores/:store/creator-messages', creatorMessages.sendMessageEndpoint],
  ['GET', '/stores/:store/creator-messages', creatorMessages.listMessagesEndpoint],
  ['POST', '/stores/:store/creator-imports', imports.createImportEndpoint],
  ['GET', '/stores/:store/creator-imports', imports.listImportsEndpoint],
  ['GET', '/stores/:store/creator-imports/:import', imports.getImportEndpoint],
  ['PATCH', '/stores/:store/creator-imports/:import', imports.changeImportEndpoint],
  ['POST', '/stores/:store/creator-imports/:import/start', imports.startImportEndpoint],
  ['POST', '/stores/:store/creator-imports/:import/cancel', imports.cancelImportEndpoint],
  ['POST', '/stores/:store/creator-imports/:import/move-members', moveImportedMembersEndpoint],
  ['GET', '/stores/:store/creator-imports/:import/rows', imports.listImportRowsEndpoint],
];

/** Its subscriptions. */
export const subscriptionRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/relationships', relationships.listRelationshipsEndpoint],
  ['GET', '/stores/:store/relationships/totals', relationships.relationshipTotalsEndpoint],
  ['GET', '/stores/:store/relationships/:relationship', relationships.getRelationshipEndpoint],
  ['POST', '/stores/:store/relationships/:relationship/review', relationships.reviewRelationshipEndpoint],
];

/** Deciding on its commissions. */
export const commissionRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/commissions', listCommissionsEndpoint],
  ['GET', '/stores/:store/commissions/totals', commissionTotalsEndpoint],
  ['GET', '/stores/:store/commissions/:commission', getCommissionEndpoint],
  ['POST', '/stores/:store/commissions/approve', review.approveCommissionsEndpoint],
  ['POST', '/stores/:store/commissions/reject', review.rejectCommissionsEndpoint],
  ['POST', '/stores/:store/commissions/reopen', review.reopenCommissionsEndpoint],
  ['POST', '/stores/:store/commissions/hold', review.holdCommissionsEndpoint],
  ['POST', '/stores/:store/commissions/release', review.releaseCommissionsEndpoint],
  ['POST', '/stores/:store/commissions/undo', undoDecisionsEndpoint],
  ['GET', '/stores/:store/commissions/:commission/decisions', listDecisionsEndpoint],
];
