import { randomBytes, randomInt } from 'node:crypto';
import { readDestination } from '../merchants/destination.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findAndShareStore } from '../merchants/stores-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { claimLinkCode, codeIsTaken, countLinks, insertLink, type Link } from './links-sql.ts';
import { lockMembership, type ProgramOfStore } from './members-sql.ts';

export const codeShape = '^[A-Za-z0-9_-]{3,64}$';
/** What a creator spreads. */
export const linkUrl = (baseUrl: string, code: string): string => `${baseUrl}/r/${code}`;

const linksPerMemberMax = 10_000;

type NewLink = ProgramOfStore & {
  /** Null: what was given names no creator that could exist. */
  readonly creatorId: Id<'crt'> | null;
  /** Null: the program's landing page, also when that changes. */
  readonly destinationUrl: string | null;
  /** Null: one is made. */
  readonly code: string | null;
  readonly at: Date;
};

export async function createLink(
  db: Queryable,
  { storeId, programId, creatorId, destinationUrl, code, at }: NewLink,
): Promise<Link | Refusal> {
  const program = await findProgram(db, { storeId, programId });
  if (program === null) return notFound;
  const destination = destinationUrl === null ? null : await readInStore(db, storeId, destinationUrl);
  if (destination?.is === 'wrong') return unprocessable('destination_url', destination.message);
  const member = creatorId === null ? null : await lockMembership(db, { storeId, programId, creatorId });
  // The same words for a stranger, for a creator elsewhere and for one that does not exist.
  if (member?.status !== 'approved') return unprocessable('creator_id', 'is not an approved member of this program');
  if ((await countLinks(db, member)) >= linksPerMemberMax)
    return refuse('limit_reached', `A member has at most ${linksPerMemberMax} links.`);

  const claimed = await claim(db, storeId, code);
  if (claimed === null) return refuse('conflict', 'This code is taken; choose another one.');
  const owner = { storeId, programId, memberId: member.memberId, creatorId: member.creatorId };
  const link = await insertLink(db, { ...claimed, ...owner, destinationUrl: destination?.href ?? null, createdAt: at });
  return link;
}

async function readInStore(db: Queryable, storeId: Id<'store'>, destinationUrl: string) {
  const store = await findAndShareStore(db, storeId);
  must(store !== null, 'a program belongs to a store');
  return readDestination(destinationUrl, store.siteUrl);
}

const unprocessable = (field: string, message: string): Refusal =>
  refuse('unprocessable', 'A link cannot be so; see errors.', [{ field, message }]);

const claimsMax = 5;

/** A code and a number that nobody has. Null where the code that was asked for is taken. */
async function claim(db: Queryable, storeId: Id<'store'>, wanted: string | null): Promise<Pick<Link, 'code' | 'linkNumber'> | null> {
  for (let attempt = 0; attempt < claimsMax; attempt++) {
    const candidate = { code: wanted ?? newCode(), linkNumber: newLinkNumber() };
    if (await claimLinkCode(db, { ...candidate, storeId })) return candidate;
    if (wanted !== null && (await codeIsTaken(db, wanted))) return null;
  }
  must(false, 'five codes in a row out of 800 million million are not taken');
}

/** Ten letters and digits that nobody takes for one another when they read them aloud or type them from a picture. */
const newCode = (): string => Array.from({ length: codeLength }, () => codeLetters.charAt(randomInt(codeLetters.length))).join('');
const codeLength = 10;
const codeLetters = '23456789abcdefghjkmnpqrstuvwxyz';

/** Positive, and of 63 bits: it stands in every click ID of the link, where nobody should read how many links there are. */
const newLinkNumber = (): bigint => randomBytes(8).readBigUInt64BE() & 0x7fff_ffff_ffff_ffffn || 1n;
