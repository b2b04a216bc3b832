import { keepMail } from '../notify/mail.ts';
import { newKeyLetter } from '../notify/people-letters.ts';
import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { operatorsMax } from './operators-sql.ts';
import { storeIdOf, type Party } from './party.ts';
import { teamOf } from './team-sql.ts';
import { findUser, operators, userOfCreator } from './users-sql.ts';

type Made = {
  readonly party: Party;
  readonly name: string;
  readonly last4: string;
  readonly by: string;
  /** The person behind it; null where nobody with an account is. */
  readonly madeBy: Id<'user'> | null;
};

/** A key works for as long as nobody revokes it, so whoever answers for its rights hears of it: its maker, and those it speaks for. */
export async function mailNewKey(db: Queryable, { config, secrets }: Platform, { party, madeBy, ...key }: Made): Promise<void> {
  const maker = madeBy === null ? null : await findUser(db, madeBy);
  const addresses = new Set([...(maker === null ? [] : [maker.email]), ...(await answerFor(db, party))]);
  const letter = newKeyLetter({ ...key, of: placeOf(party), url: `${config.baseUrl}${pageOf(party)}` });
  for (const to of addresses) await keepMail(db, secrets, { to, letter, storeId: storeIdOf(party) });
}

async function answerFor(db: Queryable, party: Party): Promise<readonly string[]> {
  switch (party.is) {
    case 'operator':
      return (await operators(db, { most: operatorsMax })).map(({ email }) => email);
    case 'store':
      return (await teamOf(db, party.storeId)).filter(({ role }) => role === 'owner').map(({ email }) => email);
    case 'creator': {
      const person = await userOfCreator(db, party.creatorId);
      return person === null ? [] : [person.email];
    }
  }
}

function placeOf(party: Party): string {
  switch (party.is) {
    case 'operator':
      return 'everything that operators may do';
    case 'store':
      return `the store ${publicId('store', party.storeId)}`;
    case 'creator':
      return `the creator ${publicId('crt', party.creatorId)}`;
  }
}

function pageOf(party: Party): string {
  switch (party.is) {
    case 'operator':
      return '/operator/api-keys';
    case 'store':
      return `/stores/${publicId('store', party.storeId)}/api-keys`;
    case 'creator':
      return '/account';
  }
}
