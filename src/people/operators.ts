import { newId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { recordAuditEntry } from './audit.ts';
import { normalizeEmail } from './fields.ts';
import { deleteFirstOperatorLinks } from './links-sql.ts';
import { firstOperatorHours, hoursFromNow, createLink } from './one-time-links.ts';
import { grantOperatorRight } from './operator-rules.ts';
import { markAsOperator } from './operators-sql.ts';
import { clearSecondFactor } from './second-factor.ts';
import { insertUser, listOperatorUsers, findUserByEmail } from './users-sql.ts';

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
