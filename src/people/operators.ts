import { emailMessage } from '../messages/format-message.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { recordAuditEntry } from './audit.ts';
import { normalizeEmail } from './fields.ts';
import { deleteFirstOperatorLinks } from './one-time-links-sql.ts';
import { firstOperatorHours, hoursFromNow, createLink } from './one-time-links.ts';
import {
  markAsOperator,
  markInvitationJoined,
  updateLastOperatorLeft,
  findOperatorPerson,
  operatorsMax,
  readOperatorRules,
  getInviter,
  type OperatorPerson,
} from './operators-sql.ts';
import { clearSecondFactor } from './second-factor.ts';
import { insertUser, listOperatorUsers, findUserByEmail, lockOperators } from './users-sql.ts';
import { enqueueEmail } from './enqueue-email.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Queryable } from '../db/database.ts';
import { decideJoining, establishedFrom } from './decide-agreement.ts';
import type { Identity } from './identity.ts';

/**
 * A fresh installation has no operator who could invite others, so it prints a link on start. Returns null if there is an operator. An
 * unused link from an earlier start stops working.
 */
export async function createFirstOperatorLink(platform: Platform): Promise<string | null> {
  return platform.database.transaction(async (tx) => {
    await deleteFirstOperatorLinks(tx);
    if ((await listOperatorUsers(tx, { most: 1 })).length > 0) return null;
    return createLink(tx, platform, { for: 'first operator' }, { expiresAt: hoursFromNow(firstOperatorHours) });
  });
}

export type NewOperator = { readonly email: string; readonly name: string };
export type CreatedOperator = { readonly isNewPerson: boolean; readonly url: string };

/**
 * Runs from the command line of the machine, which has full access anyway: makes a new or existing person an operator and creates a link to
 * choose a password. It switches the second factor off, because it is also the recovery for a lost phone.
 */
export async function createOperator(platform: Platform, { email, name }: NewOperator): Promise<CreatedOperator> {
  const address = normalizeEmail(email);
  return platform.database.transaction(async (tx) => {
    const now = realNow();
    const fresh = { userId: newId<'user'>(now), email: address, name, passwordHash: null, isOperator: false, now };
    const isNewPerson = (await insertUser(tx, fresh)) === 1;
    const person = await findUserByEmail(tx, address);
    invariant(person, 'a person who could not be inserted already exists');
    const { userId } = person;
    const isFirst = (await listOperatorUsers(tx, { most: 1 })).length === 0;
    if (isFirst) await markAsOperator(tx, { userId, since: platform.clock.now(), establishedAt: null, invitedBy: null });
    else await grantOperatorRight(tx, platform, { userId, invitedBy: null, isApproved: false });
    await clearSecondFactor(tx, userId);
    await recordAuditEntry(tx, {
      at: platform.clock.now(),
      actor: 'system',
      actorName: 'command line',
      storeId: null,
      creatorId: null,
      action: 'operator.made',
      subject: address,
      details: { is_new_person: isNewPerson },
      requestId: '',
      addressHash: null,
    });
    const expiresAt = hoursFromNow(firstOperatorHours);
    return { isNewPerson, url: await createLink(tx, platform, { for: 'new password', userId }, { expiresAt }) };
  });
}

/** Always on in live mode. Off in a sandbox, so that one person can try everything, unless its operator turns the rules on. */
export const areOperatorRulesOn = async (db: Queryable, { config }: Pick<Platform, 'config'>): Promise<boolean> =>
  config.mode === 'live' || (await readOperatorRules(db)).inSandbox;

/** The person behind a session. An API key cannot agree in place of a person. */
export const requestingPerson = (db: Queryable, { by }: Identity): Promise<OperatorPerson | null> =>
  by.is === 'session' ? findOperatorPerson(db, by.userId) : Promise.resolve(null);

type AcceptedInvitation = { readonly invitationId: Id<'invite'>; readonly userId: Id<'user'> };

/** A person who accepts an invitation becomes an operator, or waits until another operator approves. */
export async function joinOperators(db: Queryable, platform: Platform, { invitationId, userId }: AcceptedInvitation): Promise<void> {
  await lockOperators(db);
  const { invitedBy, approvedAt } = await getInviter(db, invitationId);
  const others = (await listOperatorUsers(db, { most: operatorsMax })).filter((one) => one.userId !== invitedBy && one.userId !== userId);
  const areRulesOn = await areOperatorRulesOn(db, platform);
  const isApproved = approvedAt !== null;
  const { name, email } = (await findOperatorPerson(db, userId)) ?? { name: '', email: '' };
  if (decideJoining({ areRulesOn, hasOtherOperator: others.length > 0, isApproved }) === 'awaiting_approval') {
    await markInvitationJoined(db, { invitationId, userId });
    await emailOperators(db, platform, awaitsApprovalEmail({ name, email, url: operatorsPageUrl(platform) }));
    return;
  }
  await grantOperatorRight(db, platform, { userId, invitedBy, isApproved });
  await emailOperators(db, platform, newOperatorEmail({ name, email, url: operatorsPageUrl(platform) }));
}

type NewOperatorFacts = { readonly userId: Id<'user'>; readonly invitedBy: Id<'user'> | null; readonly isApproved: boolean };

export async function grantOperatorRight(
  db: Queryable,
  platform: Platform,
  { userId, invitedBy, isApproved }: NewOperatorFacts,
): Promise<void> {
  const now = platform.clock.now();
  const { lastLeftAt } = await readOperatorRules(db);
  const establishedAt = establishedFrom({ areRulesOn: await areOperatorRulesOn(db, platform), now, isApproved, lastLeftAt });
  await markAsOperator(db, { userId, since: now, establishedAt, invitedBy });
}

/** Records that an operator left: for a while the remaining one cannot replace them with a person of their choice. */
export const recordOperatorLeft = (db: Queryable, { clock }: Pick<Platform, 'clock'>): Promise<void> =>
  updateLastOperatorLeft(db, clock.now());

/** Notifies all operators and the given people, so that every change of operators is visible. */
export async function emailOperators(
  db: Queryable,
  { secrets }: Pick<Platform, 'secrets'>,
  content: EmailContent,
  alsoTo: readonly string[] = [],
): Promise<void> {
  const addresses = new Set([...(await listOperatorUsers(db, { most: operatorsMax })).map(({ email }) => email), ...alsoTo]);
  for (const to of addresses) await enqueueEmail(db, secrets, { to, content, storeId: null });
}

export const operatorsPageUrl = ({ config }: Pick<Platform, 'config'>): string => `${config.baseUrl}/operator/operators`;

type OperatorEmailFacts = { readonly name: string; readonly email: string; readonly url: string };
const openOperators = (url: string) => ({ label: emailMessage('common.open_operators'), url });

type OperatorInvitation = { readonly email: string; readonly by: string; readonly url: string };

export const operatorInvitedEmail = ({ email, by, url }: OperatorInvitation): EmailContent => ({
  subject: emailMessage('operator.subject_invited', { by, email }),
  paragraphs: [emailMessage('operator.invited', { by, email }), emailMessage('operator.invited_next')],
  button: openOperators(url),
  footnotes: [emailMessage('operator.remove')],
});

const awaitsApprovalEmail = ({ name, email, url }: OperatorEmailFacts): EmailContent => ({
  subject: emailMessage('operator.subject_awaits', { email }),
  paragraphs: [emailMessage('operator.awaits', { name, email })],
  button: { label: emailMessage('operator.approve'), url },
  footnotes: [],
});

export const newOperatorEmail = ({ name, email, url }: OperatorEmailFacts): EmailContent => ({
  subject: emailMessage('operator.subject_new', { email }),
  paragraphs: [emailMessage('operator.new', { name, email })],
  button: openOperators(url),
  footnotes: [emailMessage('operator.remove')],
});

export const removedOperatorEmail = ({ name, email, by, url }: OperatorEmailFacts & { readonly by: string }): EmailContent => ({
  subject: emailMessage('operator.subject_removed', { email }),
  paragraphs: [emailMessage('operator.removed', { by, name, email })],
  button: openOperators(url),
  footnotes: [emailMessage('common.surprised')],
});

export const erasedOperatorEmail = ({ url }: Pick<OperatorEmailFacts, 'url'>): EmailContent => ({
  subject: emailMessage('operator.subject_erased'),
  paragraphs: [emailMessage('operator.erased')],
  button: openOperators(url),
  footnotes: [emailMessage('common.surprised')],
});
