import { findProgram } from '../merchants/programs-sql.ts';
import { listEmailRecipients } from '../merchants/store-emails.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import type { Queryable } from '../db/database.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { findCreator } from './creators-sql.ts';
import type { Member } from './members-sql.ts';

/** The names in an email about a membership, and the URL of the store's list of creators. */
export type MembershipFacts = { readonly creator: string; readonly program: string; readonly store: string; readonly url: string };

/** Emails the people of the store who may approve creators and want these emails. */
export async function notifyStore(
  db: Queryable,
  { config, secrets }: Platform,
  member: Member,
  contentOf: (facts: MembershipFacts) => EmailContent,
): Promise<void> {
  const { storeId } = member;
  const people = await listEmailRecipients(db, { storeId, kind: 'applications', permission: 'programs:write' });
  if (people.length === 0) return;
  const [creator, program, store] = [await findCreator(db, member.creatorId), await findProgram(db, member), await findStore(db, storeId)];
  invariant(creator !== null && program !== null && store !== null, 'creators, programs and stores are never deleted');
  const url = `${config.baseUrl}/stores/${publicId('store', storeId)}/creators`;
  const content = contentOf({ creator: creator.name, program: program.name, store: store.name, url });
  for (const { email } of people) await enqueueEmail(db, secrets, { to: email, content, storeId });
}
