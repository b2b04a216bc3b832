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
  const links = await linksByName(
    db,
    genuine.filter(({ kind }) => kind === 'referral'),
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

type NumberedLink = Pick<LinkOfNumber, 'storeId' | 'linkNumber'>;
const nameOf = ({ storeId, linkNumber }: NumberedLink): string => `${storeId} ${linkNumber}`;

const rememberedMax = 50_000;
/** What a link's number means never changes, so it is asked once: a batch of orders by known links waits for one answer less. */
const remembered = new Map<string, LinkOfNumber>();

async function linksByName(db: Queryable, wanted: readonly NumberedLink[]): Promise<ReadonlyMap<string, LinkOfNumber>> {
  const links = new Map<string, LinkOfNumber>();
  const unknown: NumberedLink[] = [];
  for (const link of wanted) {
    const known = remembered.get(nameOf(link));
    if (known) links.set(nameOf(link), known);
    else unknown.push(link);
  }
  for (const link of await linksByNumber(db, unknown)) {
    links.set(nameOf(link), link);
    if (remembered.size >= rememberedMax) remembered.clear();
    remembered.set(nameOf(link), link);
  }
  return links;
}

/** A failed signature is believed only after the keys were read again: another process may have made a key that we do not know. */
async function readAll(ring: KeyRing, wanted: readonly ClickWanted[]): Promise<ReadonlyArray<ReadClickId | null>> {
  const read = () => wanted.map(({ text }) => (text === null ? null : readClickId(text, ring.keys())));
  const first = read();
  if (first.every((click) => click === null || click.is === 'genuine')) return first;
  await ring.refresh();
  return read();
}
