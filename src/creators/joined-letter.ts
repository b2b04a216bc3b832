import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Letter } from '../notify/letter.ts';
import { keepMail } from '../notify/mail.ts';
import type { Queryable } from '../platform/database/database.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { findCreator } from './creators-sql.ts';
import type { Member } from './members-sql.ts';
import { wantsMail } from './wanted-mails-sql.ts';

/** In the transaction that takes the creator in. */
export async function tellJoined(db: Queryable, { config, secrets }: Platform, member: Member): Promise<void> {
  if (!(await wantsMail(db, member.creatorId, 'joined'))) return;
  const [creator, program, store] = [
    await findCreator(db, member.creatorId),
    await findProgram(db, member),
    await findStore(db, member.storeId),
  ];
  must(creator !== null && program !== null && store !== null, 'creators, programs and stores are never deleted');
  const letter = joinedLetter({ program: program.name, store: store.name, url: `${config.baseUrl}/creator/links` });
  await keepMail(db, secrets, { to: creator.email, letter, storeId: null });
}

const joinedLetter = (facts: { readonly program: string; readonly store: string; readonly url: string }): Letter => ({
  subject: `You are in: ${facts.program} of ${facts.store}`,
  sentences: [
    `${facts.store} took you into its program “${facts.program}”.`,
    'Make a link of your own and share it: every sale that comes through it is seen in your portal, with what it earns and when it is paid.',
  ],
  button: { label: 'Make a link', url: facts.url },
  afterwards: [],
});
