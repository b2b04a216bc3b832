import { hasEverEarned } from '../../commissions/payout-sql.ts';
import { becomeCreatorEndpoint } from '../../creators/creators-api.ts';
import * as connect from '../../creators/stripe-connect-api.ts';
import * as creators from '../../creators/creators-api.ts';
import { listStoresOfCreator } from '../../creators/members-sql.ts';
import { getOwnRatesEndpoint } from '../../commissions/own-rates-api.ts';
import { acceptTermsEndpoint, getNextTermsEndpoint } from '../../commissions/next-terms-api.ts';
import * as memberships from '../../creators/memberships-api.ts';
import { listOwnCodesEndpoint } from '../../creators/discount-codes-api.ts';
import * as ownLinks from '../../creators/creator-links-api.ts';
import type { HasEarned } from '../../creators/payout-methods.ts';
import { getPayoutMethodEndpoint } from '../../creators/payout-methods-api.ts';
import * as suspensions from '../../creators/suspensions-api.ts';
import * as tax from '../../creators/tax-details-api.ts';
import * as wantedMails from '../../creators/email-preferences-api.ts';
import { hasEarnings } from '../../payouts/earnings-sql.ts';
import * as apiKeys from '../../people/api-keys.ts';
import type { RouteEntry } from '../../people/request-pipeline.ts';
import * as operators from '../../people/operators-api.ts';
import * as ownInvitations from '../../outreach/own-invitations-api.ts';
import { firstStepsEndpoint } from '../../portal/first-steps-api.ts';
import { paidYearsEndpoint } from '../../portal/paid-years-api.ts';
import { readPublicProgram } from '../../portal/public-program-api.ts';
import * as leaderboards from '../../portal/leaderboards-api.ts';
import * as refused from '../../portal/refused-orders-api.ts';
import { getSaleEndpoint, listSalesEndpoint } from '../../portal/sales-api.ts';
import * as receivedAssets from '../../portal/received-assets-api.ts';
import { listReceivedMessagesEndpoint } from '../../portal/received-messages-api.ts';
import { listOwnSubscriptionsEndpoint } from '../../portal/creator-subscriptions-api.ts';
import * as privacy from '../../privacy/privacy-api.ts';
import type { StripeAccounts } from '../../payments/stripe-accounts.ts';
import { creatorResultsEndpoint } from '../../reports/creator-results-api.ts';
import { productResultsEndpoint } from '../../reports/product-results-api.ts';
import { listSubIdsEndpoint, subIdResultsEndpoint } from '../../reports/sub-ids-api.ts';

/** By their own book, and by the commissions of their stores, which may not be collected yet. */
const hasEarned: HasEarned = async (db, creatorId) =>
  (await hasEarnings(db, creatorId)) || hasEverEarned(db, { creatorId, storeIds: await listStoresOfCreator(db, creatorId) });

/** Creators, as operators and they themselves see them. */
export const creatorRoutes = (accounts: StripeAccounts | null): readonly RouteEntry[] => [
  ['POST', '/creators', creators.createCreatorEndpoint],
  ['GET', '/creators', creators.listCreatorsEndpoint],
  ['GET', '/creators/:creator', creators.getCreatorEndpoint],
  ['PATCH', '/creators/:creator', creators.changeCreatorEndpoint],
  ['POST', '/creators/:creator/suspend', suspensions.suspendCreatorEndpoint],
  ['POST', '/creators/:creator/unsuspend', suspensions.unsuspendCreatorEndpoint],
  ['GET', '/creators/:creator/suspensions', suspensions.listSuspensionsEndpoint],
  ['GET', '/creators/:creator/payout-method', getPayoutMethodEndpoint(accounts)],
  ['PUT', '/creators/:creator/payout-method', creators.setPayoutMethodEndpoint(hasEarned)],
  ['GET', '/creators/:creator/payout-method/connect', connect.connectCountriesEndpoint(accounts)],
  ['POST', '/creators/:creator/payout-method/connect', connect.beginConnectEndpoint(accounts)],
  ['PUT', '/creators/:creator/payout-method/connect', connect.finishConnectEndpoint(accounts, hasEarned)],
  ['PUT', '/creators/:creator/payout-minimum', creators.setPayoutMinimumEndpoint],
  ['GET', '/creators/:creator/export', privacy.exportCreator],
  ['POST', '/creators/:creator/invitations', operators.inviteCreator],
  ['GET', '/creators/:creator/api-keys', apiKeys.listCreatorKeys],
  ['POST', '/creators/:creator/api-keys', apiKeys.createCreatorKey],
  ['DELETE', '/creators/:creator/api-keys/:key', apiKeys.revokeCreatorKey],
];

/** What a creator sees of all their stores. */
export const portalRoutes: readonly RouteEntry[] = [
  ['POST', '/creators/me', becomeCreatorEndpoint],
  ['GET', '/programs/:program', readPublicProgram],
  ['POST', '/programs/:program/applications', memberships.applyToProgramEndpoint],
  ['GET', '/profile/program-invitations', ownInvitations.listOwnInvitationsEndpoint],
  ['POST', '/profile/program-invitations/:invitation/accept', ownInvitations.acceptInvitationEndpoint],
  ['POST', '/profile/program-invitations/:invitation/decline', ownInvitations.declineInvitationEndpoint],
  ['GET', '/creators/:creator/memberships', memberships.listMembershipsEndpoint],
  ['GET', '/creators/:creator/memberships/:member/rates', getOwnRatesEndpoint],
  ['GET', '/creators/:creator/memberships/:member/next-terms', getNextTermsEndpoint],
  ['POST', '/creators/:creator/memberships/:member/accept-terms', acceptTermsEndpoint],
  ['POST', '/creators/:creator/memberships/:member/leave', memberships.leaveProgramEndpoint],
  ['GET', '/creators/:creator/leaderboards', leaderboards.listLeaderboardsEndpoint],
  ['PUT', '/creators/:creator/memberships/:member/leaderboard', leaderboards.setLeaderboardNameEndpoint],
  ['GET', '/creators/:creator/links', ownLinks.listOwnLinksEndpoint],
  ['POST', '/creators/:creator/links', ownLinks.createOwnLinkEndpoint],
  ['GET', '/creators/:creator/first-steps', firstStepsEndpoint],
  ['GET', '/creators/:creator/codes', listOwnCodesEndpoint],
  ['GET', '/creators/:creator/results', creatorResultsEndpoint],
  ['GET', '/creators/:creator/product-results', productResultsEndpoint],
  ['GET', '/creators/:creator/sub-ids', listSubIdsEndpoint],
  ['GET', '/creators/:creator/sub-id-results', subIdResultsEndpoint],
  ['GET', '/creators/:creator/commissions', listSalesEndpoint],
  ['GET', '/creators/:creator/commissions/:commission', getSaleEndpoint],
  ['GET', '/creators/:creator/refused-orders', refused.listRefusedOrdersEndpoint],
  ['GET', '/creators/:creator/refused-orders/totals', refused.countRefusedOrdersEndpoint],
  ['GET', '/creators/:creator/subscriptions', listOwnSubscriptionsEndpoint],
  ['GET', '/creators/:creator/messages', listReceivedMessagesEndpoint],
  ['GET', '/creators/:creator/assets', receivedAssets.listReceivedAssetsEndpoint],
  ['GET', '/creators/:creator/assets/:asset/file', receivedAssets.getReceivedAssetFileEndpoint],
  ['GET', '/creators/:creator/tax-details', tax.getTaxDetailsEndpoint],
  ['PUT', '/creators/:creator/tax-details', tax.setTaxDetailsEndpoint],
  ['POST', '/creators/:creator/tax-details/open', tax.openTaxIdEndpoint],
  ['GET', '/creators/:creator/paid-years', paidYearsEndpoint],
  ['GET', '/creators/:creator/notifications', wantedMails.getEmailPreferencesEndpoint],
  ['PUT', '/creators/:creator/notifications', wantedMails.setEmailPreferencesEndpoint],
];
