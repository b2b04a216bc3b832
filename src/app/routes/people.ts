import * as email from '../../creators/account-email-api.ts';
import { getStoreEmailsEndpoint, setStoreEmailsEndpoint } from '../../merchants/store-emails.ts';
import * as account from '../../people/account-api.ts';
import * as apiKeys from '../../people/api-keys.ts';
import * as oneTime from '../../people/use-link.ts';
import * as mails from '../../people/emails-api.ts';
import * as inbox from '../../people/inbox-api.ts';
import type { RouteEntry } from '../../people/request-pipeline.ts';
import * as profile from '../../people/account-api.ts';
import * as secondFactor from '../../people/second-factor.ts';
import * as session from '../../people/session-api.ts';
import * as signUp from '../../people/sign-up-api.ts';
import * as team from '../../people/team-api.ts';
import * as privacy from '../../privacy/privacy-api.ts';
import { readStoreAuditLog } from '../../reports/audit-log-api.ts';

/** Signing in, and what is one's own. */
export const sessionRoutes: readonly RouteEntry[] = [
  ['GET', '/session', session.readSession],
  ['POST', '/session', session.signIn],
  ['DELETE', '/session', session.signOut],
  ['POST', '/session/proof', session.proveIdentity],
  ['GET', '/sessions', session.listSessions],
  ['DELETE', '/sessions/:session', session.endSession],
  ['POST', '/sign-ups', signUp.signUp],
  ['POST', '/password-resets', signUp.requestPasswordReset],
  ['POST', '/one-time-links/read', oneTime.readLink],
  ['POST', '/one-time-links/use', oneTime.useLink],
  ['PATCH', '/profile', profile.changeProfile],
  ['PUT', '/password', profile.changePassword],
  ['GET', '/profile/email', email.getEmailChange],
  ['POST', '/profile/email', email.askForEmailChangeEndpoint],
  ['DELETE', '/profile/email', email.cancelEmailChange],
  ['POST', '/email-changes/read', email.readEmailChange],
  ['POST', '/email-changes/confirm', email.confirmEmailChangeEndpoint],
  ['POST', '/email-changes/undo', email.undoEmailChangeEndpoint],
  ['GET', '/profile/export', privacy.exportMe],
  ['POST', '/profile/erase', privacy.eraseMe],
  ['POST', '/second-factor', secondFactor.beginSecondFactor],
  ['POST', '/second-factor/confirm', secondFactor.confirmSecondFactor],
  ['DELETE', '/second-factor', secondFactor.endSecondFactor],
  ['POST', '/second-factor/replacement', secondFactor.beginReplacement],
  ['POST', '/second-factor/replacement/confirm', secondFactor.confirmReplacement],
  ['GET', '/profile/notifications', inbox.listInboxEndpoint],
  ['GET', '/profile/notifications/unread', inbox.countUnreadEndpoint],
  ['POST', '/profile/notifications/:notification/read', inbox.markReadEndpoint],
  ['GET', '/profile/devices', account.listDevices],
  ['DELETE', '/profile/devices/:device', account.forgetDevice],
  ['GET', '/profile/api-keys', account.listOwnKeys],
  ['DELETE', '/profile/api-keys/:key', account.revokeOwnKey],
  ['POST', '/profile/end-all', account.endAll],
];

/** The people of a store. */
export const storePeopleRoutes: readonly RouteEntry[] = [
  ['GET', '/stores/:store/team', team.listTeam],
  ['PATCH', '/stores/:store/team/:user', team.changeRole],
  ['DELETE', '/stores/:store/team/:user', team.removeFromTeam],
  ['GET', '/stores/:store/invitations', team.listStoreInvitations],
  ['POST', '/stores/:store/invitations', team.inviteToStore],
  ['DELETE', '/stores/:store/invitations/:invitation', team.withdrawStoreInvitation],
  ['GET', '/stores/:store/api-keys', apiKeys.listStoreKeys],
  ['POST', '/stores/:store/api-keys', apiKeys.createStoreKey],
  ['DELETE', '/stores/:store/api-keys/:key', apiKeys.revokeStoreKey],
  ['POST', '/stores/:store/customers/export', privacy.exportCustomerEndpoint],
  ['POST', '/stores/:store/customers/erase', privacy.eraseCustomerEndpoint],
  ['GET', '/stores/:store/audit-log', readStoreAuditLog],
  ['GET', '/stores/:store/mails', mails.listStoreEmails],
  ['GET', '/stores/:store/notifications', getStoreEmailsEndpoint],
  ['PUT', '/stores/:store/notifications', setStoreEmailsEndpoint],
];
