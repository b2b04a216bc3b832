import { readHealth } from '../../operations/health-api.ts';
import { listJobs, retryJob } from '../../operations/jobs-api.ts';
import { operatorsOverview } from '../../operations/overview-api.ts';
import { searchInstallation } from '../../operations/search-api.ts';
import { unauthenticatedRequests, trackingOfStores } from '../../operations/tracking-api.ts';
import { listVerificationsEndpoint } from '../../operations/verifications-api.ts';
import { viewCreator, viewStore } from '../../operations/view-api.ts';
import * as apiKeys from '../../people/api-keys.ts';
import * as mails from '../../people/emails-api.ts';
import type { RouteEntry } from '../../people/request-pipeline.ts';
import * as approvals from '../../people/operator-approvals.ts';
import * as operators from '../../people/operators-api.ts';
import type { DueJob } from '../../queue/scheduled-jobs.ts';
import * as privacy from '../../privacy/privacy-api.ts';
import { readAuditLog } from '../../reports/audit-log-api.ts';
import * as generalLedger from '../../reports/general-ledger-api.ts';
import { verifyLedger } from '../verify-api.ts';

/** What only operators see and do. */
export const operatorRoutes = (schedule: readonly DueJob[]): readonly RouteEntry[] => [
  ['GET', '/overview', operatorsOverview],
  ['GET', '/search', searchInstallation],
  ['POST', '/stores/:store/view', viewStore],
  ['POST', '/creators/:creator/view', viewCreator],
  ['GET', '/tracking', trackingOfStores],
  ['GET', '/door-refusals', unauthenticatedRequests],
  ['GET', '/health', readHealth],
  ['GET', '/jobs', listJobs(schedule)],
  ['POST', '/jobs/retry', retryJob(schedule)],
  ['GET', '/operators', operators.listOperators],
  ['DELETE', '/operators/:user', operators.removeOperator],
  ['GET', '/operator-invitations', operators.listOperatorInvitations],
  ['POST', '/operator-invitations', operators.inviteOperator],
  ['DELETE', '/operator-invitations/:invitation', operators.withdrawOperatorInvitation],
  ['GET', '/operator-approvals', approvals.listOperatorApprovals],
  ['POST', '/operator-approvals/:invitation', approvals.approveOperator],
  ['DELETE', '/operator-approvals/:invitation', approvals.declineOperator],
  ['GET', '/operator-rules', approvals.getOperatorRules],
  ['PUT', '/operator-rules', approvals.setOperatorRules],
  ['POST', '/people/find', privacy.findPerson],
  ['GET', '/people/:user/export', privacy.exportPerson],
  ['POST', '/people/:user/erase', privacy.erasePerson],
  ['POST', '/creators/:creator/erase', privacy.eraseCreatorEndpoint],
  ['GET', '/api-keys', apiKeys.listOperatorKeys],
  ['POST', '/api-keys', apiKeys.createOperatorKey],
  ['DELETE', '/api-keys/:key', apiKeys.revokeOperatorKey],
  ['GET', '/audit-log', readAuditLog],
  ['GET', '/mails', mails.listAllEmails],
  ['GET', '/mails/:mail', mails.getEmail],
  ['GET', '/ledger', generalLedger.trialBalanceEndpoint],
  ['GET', '/ledger/export', generalLedger.exportLedgerEndpoint],
  ['POST', '/ledger/verify', verifyLedger],
  ['GET', '/ledger/verifications', listVerificationsEndpoint],
];
