import { hasEverEarned } from './commissions/payout-sql.ts';
import { becomeCreatorEndpoint } from './creators/become-api.ts';
import * as connect from './creators/connect-api.ts';
import * as creators from './creators/creators-api.ts';
import { storesOfCreator } from './creators/members-sql.ts';
import * as memberships from './creators/memberships-api.ts';
import * as ownLinks from './creators/own-links-api.ts';
import type { HasEarned } from './creators/payout-methods.ts';
import { getPayoutMethodEndpoint } from './creators/payout-options-api.ts';
import * as suspensions from './creators/suspensions-api.ts';
import * as tax from './creators/tax-api.ts';
import * as wantedMails from './creators/wanted-mails-api.ts';
import { hasEarnings } from './payouts/earnings-sql.ts';
import * as apiKeys from './people/keys-api.ts';
import type { ApiLine } from './people/mount.ts';
import * as operators from './people/operators-api.ts';
import { paidYearsEndpoint } from './portal/paid-years-api.ts';
import { readPublicProgram } from './portal/program-api.ts';
import * as refused from './portal/refused-api.ts';
import { getSaleEndpoint, listSalesEndpoint } from './portal/sales-api.ts';
import { listOwnSubscriptionsEndpoint } from './portal/subscriptions-api.ts';
import * as privacy from './privacy/privacy-api.ts';
import type { StripeAccounts } from './providers/stripe-accounts.ts';
import { listSubIdsEndpoint } from './reports/sub-ids-api.ts';

/** By their own book, and by the commissions of their stores, which may not be collected yet. */
const hasEarned: HasEarned = async (db, creatorId) =>
  (await hasEarnings(db, creatorId)) || hasEverEarned(db, { creatorId, storeIds: await storesOfCreator(db, creatorId) });

/** Creators, as operators and they themselves see them. */
export const creatorRoutes = (accounts: StripeAccounts | null): readonly ApiLine[] => [
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
  ['POST', '/creators/:creator/api-keys', apiKeys.makeCreatorKey],
  ['DELETE', '/creators/:creator/api-keys/:key', apiKeys.revokeCreatorKey],
];

/** What a creator sees of all their stores. */
export const portalRoutes: readonly ApiLine[] = [
  ['POST', '/creators/me', becomeCreatorEndpoint],
  ['GET', '/programs/:program', readPublicProgram],
  ['POST', '/programs/:program/applications', memberships.applyEndpoint],
  ['GET', '/creators/:creator/memberships', memberships.listMembershipsEndpoint],
  ['POST', '/creators/:creator/memberships/:member/leave', memberships.leaveEndpoint],
  ['GET', '/creators/:creator/links', ownLinks.listOwnLinksEndpoint],
  ['POST', '/creators/:creator/links', ownLinks.createOwnLinkEndpoint],
  ['GET', '/creators/:creator/sub-ids', listSubIdsEndpoint],
  ['GET', '/creators/:creator/commissions', listSalesEndpoint],
  ['GET', '/creators/:creator/commissions/:commission', getSaleEndpoint],
  ['GET', '/creators/:creator/refused-orders', refused.listRefusedEndpoint],
  ['GET', '/creators/:creator/refused-orders/totals', refused.countRefusedEndpoint],
  ['GET', '/creators/:creator/subscriptions', listOwnSubscriptionsEndpoint],
  ['GET', '/creators/:creator/tax-details', tax.getTaxDetailsEndpoint],
  ['PUT', '/creators/:creator/tax-details', tax.setTaxDetailsEndpoint],
  ['POST', '/creators/:creator/tax-details/open', tax.openTaxIdEndpoint],
  ['GET', '/creators/:creator/paid-years', paidYearsEndpoint],
  ['GET', '/creators/:creator/notifications', wantedMails.getWantedMailsEndpoint],
  ['PUT', '/creators/:creator/notifications', wantedMails.setWantedMailsEndpoint],
];
