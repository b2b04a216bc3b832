import { peopleToTell } from '../merchants/people-to-tell.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import { publicId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { findCreator } from './creators-sql.ts';
import type { Member } from './members-sql.ts';

/** In the transaction of the application: to the people of the store who may take the creator in. */
export async function tellApplied(db: Queryable, { config, secrets }: Platform, member: Member): Promise<void> {
  const { storeId } = member;
  const people = await peopleToTell(db, { storeId, kind: 'applications', may: 'programs:write' });
  if (people.length === 0) return;
  const [creator, program, store] = [await findCreator(db, member.creatorId), await findProgram(db, member), await findStore(db, storeId)];
  must(creator !== null && program !== null && store !== null, 'creators, programs and stores are never deleted');
  const url = `${config.baseUrl}/stores/${publicId('store', storeId)}/creators?status=applied`;
  const letter = appliedLetter({ creator: creator.name, program: program.name, store: store.name, url });
  for (const { email } of people) await keepMail(db, secrets, { to: email, letter, storeId });
}

type Facts = { readonly creator: string; readonly program: string; readonly store: string; readonly url: string };

const appliedLetter = ({ creator, program, store, url }: Facts): Letter => ({
  subject: `${store}: ${creator} applies to ${program}`,
  sentences: [
    `${creator} wants to spread links of ${store}, in the program “${program}”.`,
    'Take them in or not: until then they have no link, and wait. If you take them in they hear of it by mail.',
  ],
  button: { label: 'Look at the application', url },
  afterwards: ['Which mails about a store you get is set under “My account”.'],
});
