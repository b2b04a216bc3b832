import { randomBytes, randomInt } from 'node:crypto';
import { readDestination } from '../merchants/destination.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findAndShareStore } from '../merchants/stores-sql.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { claimLinkCode, codeIsTaken, countLinks, insertLink, type Link } from './links-sql.ts';
import { lockMembership, type ProgramKey } from './members-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

export const codeShape = '^[A-Za-z0-9_-]{3,64}$';
export const linkUrl = (baseUrl: string, code: string): string => `${baseUrl}/r/${code}`;

const linksPerMemberMax = 10_000;

type NewLink = ProgramKey & {
  /** Null: the given ID is not a creator ID. */
  readonly creatorId: Id<'crt'> | null;
  /** Null: follows the program's landing page. */
  readonly destinationUrl: string | null;
  /** Null: generates a random code. */
  readonly code: string | null;
  readonly at: Date;
};

export async function createLink(
  db: Queryable,
  { storeId, programId, creatorId, destinationUrl, code, at }: NewLink,
): Promise<Link | Refusal> {
  const program = await findProgram(db, { storeId, programId });
  if (program === null) return notFound;
  const destination = destinationUrl === null ? null : await parseDestinationInStore(db, storeId, destinationUrl);
  if (destination?.is === 'wrong') return refuseField('destination_url', destination.message);
  const member = creatorId === null ? null : await lockMembership(db, { storeId, programId, creatorId });
  // The same message for unknown creators and creators of other programs, so that it does not reveal who exists.
  if (member?.status !== 'approved') return refuseField('creator_id', 'is not an approved member of this program');
  if ((await countLinks(db, member)) >= linksPerMemberMax)
    return refuse('limit_reached', apiMessage('links.member_can_have_at_most', { linksPerMemberMax }));

  const claimed = await claimCode(db, storeId, code);
  if (claimed === null) return refuse('conflict', apiMessage('links.code_already_used_choose_different'));
  const owner = { storeId, programId, memberId: member.memberId, creatorId: member.creatorId };
  const link = await insertLink(db, { ...claimed, ...owner, destinationUrl: destination?.href ?? null, createdAt: at });
  return link;
}

async function parseDestinationInStore(db: Queryable, storeId: Id<'store'>, destinationUrl: string) {
  const store = await findAndShareStore(db, storeId);
  invariant(store !== null, 'a program belongs to a store');
  return readDestination(destinationUrl, store.siteUrl);
}

const refuseField = (field: string, message: string): Refusal =>
  refuse('unprocessable', apiMessage('shared.link_invalid'), [{ field, message }]);

const codeAttemptsMax = 5;

/** Claims a unique code and number. Null if the requested code is taken. */
async function claimCode(db: Queryable, storeId: Id<'store'>, wanted: string | null): Promise<Pick<Link, 'code' | 'linkNumber'> | null> {
  for (let attempt = 0; attempt < codeAttemptsMax; attempt++) {
    const candidate = { code: wanted ?? newCode(), linkNumber: newLinkNumber() };
    if (await claimLinkCode(db, { ...candidate, storeId })) return candidate;
    if (wanted !== null && (await codeIsTaken(db, wanted))) return null;
  }
  invariant(false, 'five random codes in a row are not all taken');
}

/** Ten characters that are hard to confuse when read aloud or typed from a picture. */
const newCode = (): string => Array.from({ length: codeLength }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('');
const codeLength = 10;
const codeAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** Random, because it is part of every click ID and must not reveal the number of links. Positive with 63 bits. */
const newLinkNumber = (): bigint => randomBytes(8).readBigUInt64BE() & 0x7fff_ffff_ffff_ffffn || 1n;
