import { peopleToTell } from '../merchants/people-to-tell.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import { notFound, type Refusal } from '../platform/http/answers.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { findCreator } from './creators-sql.ts';
import { decideLeave, type MemberStatus } from './decide-member.ts';
import { lockOwnMembership, setMemberStatus, storesOfCreator, type Member } from './members-sql.ts';

type Leaving = { readonly creatorId: Id<'crt'>; readonly memberId: Id<'mem'>; readonly at: Date };

/**
 * The creator ends the membership: new visits give no click, earlier clicks count, and commissions go on as they are. Leaving twice, or
 * leaving what the merchant has ended, changes nothing.
 */
export async function leave(db: Queryable, platform: Platform, { creatorId, memberId, at }: Leaving): Promise<Member | Refusal> {
  const member = await lockOwnMembership(db, { creatorId, storeIds: await storesOfCreator(db, creatorId), memberId });
  if (member === null) return notFound;
  if (decideLeave(member.status).do === 'keep') return member;
  const left = await setMemberStatus(db, { ...member, status: 'removed', since: at, leftAt: at });
  await notifyStore(db, platform, left, member.status);
  return left;
}

/** To those who may approve creators and want to read about applications. */
async function notifyStore(db: Queryable, { config, secrets }: Platform, member: Member, former: MemberStatus): Promise<void> {
  const { storeId } = member;
  const people = await peopleToTell(db, { storeId, kind: 'applications', may: 'programs:write' });
  if (people.length === 0) return;
  const [creator, program, store] = [await findCreator(db, member.creatorId), await findProgram(db, member), await findStore(db, storeId)];
  must(creator !== null && program !== null && store !== null, 'creators, programs and stores are never deleted');
  const url = `${config.baseUrl}/stores/${publicId('store', storeId)}/creators`;
  const letter = leftEmail({ creator: creator.name, program: program.name, store: store.name, url, hadApplied: former === 'applied' });
  for (const { email } of people) await keepMail(db, secrets, { to: email, letter, storeId });
}

type Facts = {
  readonly creator: string;
  readonly program: string;
  readonly store: string;
  readonly url: string;
  readonly hadApplied: boolean;
};

const leftEmail = ({ creator, program, store, url, hadApplied }: Facts): Letter => ({
  subject: hadApplied ? `${store}: ${creator} withdrew the application to ${program}` : `${store}: ${creator} left ${program}`,
  sentences: [
    hadApplied
      ? `${creator} withdrew the application to your program “${program}”. There is nothing to decide.`
      : `${creator} left your program “${program}”. Their links still lead to your site; new visits no longer count. Orders from earlier clicks still earn.`,
  ],
  button: { label: 'Open your creators', url },
  afterwards: ['Choose which emails about a store you get under “My account”.'],
});
