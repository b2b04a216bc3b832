import { readClickId, type ReadClickId } from '../contract/click-id.ts';
import { linksByNumber, type LinkOfNumber } from '../creators/link-standing-sql.ts';
import { testLinksByClick } from './test-links-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { KeyRing } from './signing-keys.ts';

/** A click as a report refers to it: of the store that reports, and proved by its signature. Its row is not needed. */
export type ClickSeen =
  | {
      readonly kind: 'referral';
      readonly storeId: Id<'store'>;
      readonly clickId: Id<'click'>;
      readonly at: Date;
      readonly linkNumber: bigint;
      readonly programId: Id<'prog'>;
      readonly creatorId: Id<'crt'>;
    }
  | { readonly kind: 'test'; readonly clickId: Id<'click'>; readonly expiresAt: Date };

export type ClickWanted = { readonly storeId: Id<'store'>; readonly text: string | null };

/** In the order wanted; null for what is absent, forged, or another store's. */
export async function seeClicks(db: Queryable, ring: KeyRing, wanted: readonly ClickWanted[]): Promise<ReadonlyArray<ClickSeen | null>> {
  const read = await readAll(ring, wanted);
  const genuine = wanted.flatMap(({ storeId }, place) => {
    const click = read[place];
    return click?.is === 'genuine' ? [{ ...click, storeId }] : [];
  });
  const links = linksByName(
    await linksByNumber(
      db,
      genuine.filter(({ kind }) => kind === 'referral'),
    ),
  );
  const tests = await testLinksByClick(
    db,
    genuine.filter(({ kind }) => kind === 'test'),
  );
  return wanted.map(({ storeId }, place) => {
    const click = read[place];
    if (click?.is !== 'genuine') return null;
    const { clickId, at, linkNumber } = click;
    if (click.kind === 'test') {
      const test = tests.find((link) => link.storeId === storeId && link.clickId === clickId);
      return test ? { kind: 'test', clickId, expiresAt: test.expiresAt } : null;
    }
    const link = links.get(`${storeId} ${linkNumber}`);
    return link ? { kind: 'referral', clickId, at, ...link } : null;
  });
}

const linksByName = (links: readonly LinkOfNumber[]): ReadonlyMap<string, LinkOfNumber> =>
  new Map(links.map((link) => [`${link.storeId} ${link.linkNumber}`, link]));

/** A failed signature is believed only after the keys were read again: another process may have made a key that we do not know. */
async function readAll(ring: KeyRing, wanted: readonly ClickWanted[]): Promise<ReadonlyArray<ReadClickId | null>> {
  const read = () => wanted.map(({ text }) => (text === null ? null : readClickId(text, ring.keys())));
  const first = read();
  if (first.every((click) => click === null || click.is === 'genuine')) return first;
  await ring.refresh();
  return read();
}
