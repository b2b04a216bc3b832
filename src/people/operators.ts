import { newId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { keepAudit } from './audit.ts';
import { oneSpelling } from './fields.ts';
import { deleteFirstOperatorLinks } from './links-sql.ts';
import { firstOperatorHours, hoursFromNow, makeLink } from './one-time-links.ts';
import { beOperator } from './operator-rules.ts';
import { makeOperator } from './operators-sql.ts';
import { clearSecondFactor } from './second-factor.ts';
import { insertUser, operators, userByEmail } from './users-sql.ts';

/**
 * A fresh installation has nobody who could let anybody in: whoever sees it start gets a link. Null where there is an
 * operator. A link of an earlier start that nobody used stops working.
 */
export async function firstOperatorLink(platform: Platform): Promise<string | null> {
  return platform.database.transaction(async (tx) => {
    await deleteFirstOperatorLinks(tx);
    if ((await operators(tx, { most: 1 })).length > 0) return null;
    return makeLink(tx, platform, { for: 'first operator' }, { expiresAt: hoursFromNow(firstOperatorHours) });
  });
}

export type NewOperator = { readonly email: string; readonly name: string };
export type CreatedOperator = { readonly isNewPerson: boolean; readonly url: string };

/**
 * From the command line of the machine, where one may do all anyway: makes an operator of somebody, old or new, and a
 * link by which they choose a password. The second factor goes off, since this is also the way back in without the phone.
 */
export async function createOperator(platform: Platform, { email, name }: NewOperator): Promise<CreatedOperator> {
  const address = oneSpelling(email);
  return platform.database.transaction(async (tx) => {
    const now = realNow();
    const fresh = { userId: newId<'user'>(now), email: address, name, passwordHash: null, isOperator: false, now };
    const isNewPerson = (await insertUser(tx, fresh)) === 1;
    const person = await userByEmail(tx, address);
    must(person, 'whoever could not be inserted is there');
    const { userId } = person;
    const isFirst = (await operators(tx, { most: 1 })).length === 0;
    if (isFirst) await makeOperator(tx, { userId, since: platform.clock.now(), establishedAt: null, invitedBy: null });
    else await beOperator(tx, platform, { userId, invitedBy: null, isApproved: false });
    await clearSecondFactor(tx, userId);
    await keepAudit(tx, {
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
    return { isNewPerson, url: await makeLink(tx, platform, { for: 'new password', userId }, { expiresAt }) };
  });
}
