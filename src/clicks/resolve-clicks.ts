import { readClickId, type ReadClickId } from '../contract/click-id.ts';
import { resolveLinksByNumber, type LinkOwner } from '../creators/resolve-links-sql.ts';
import { testLinksByClick } from './test-links-sql.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { KeyRing } from './signing-keys.ts';

/** A click of the reporting store with a valid signature. Its row is not read. */
export type ResolvedClick =
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

export type ClickReference = { readonly storeId: Id<'store'>; readonly text: string | null };

/** In the order of the references. Null if the click is absent, forged, or another store's. */
export async function resolveClicks(
  db: Queryable,
  ring: KeyRing,
  references: readonly ClickReference[],
): Promise<ReadonlyArray<ResolvedClick | null>> {
  const read = await readAll(ring, references);
  const genuine = references.flatMap(({ storeId }, index) => {
    const click = read[index];
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
  return references.map(({ storeId }, index) => {
    const click = read[index];
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

type NumberedLink = Pick<LinkOwner, 'storeId' | 'linkNumber'>;
const nameOf = ({ storeId, linkNumber }: NumberedLink): string => `${storeId} ${linkNumber}`;

const cachedLinksMax = 50_000;
/** A link number never changes its meaning, so it is cached without a limit in time. */
const linkCache = new Map<string, LinkOwner>();

async function linksByName(db: Queryable, references: readonly NumberedLink[]): Promise<ReadonlyMap<string, LinkOwner>> {
  const links = new Map<string, LinkOwner>();
  const unknown: NumberedLink[] = [];
  for (const link of references) {
    const known = linkCache.get(nameOf(link));
    if (known) links.set(nameOf(link), known);
    else unknown.push(link);
  }
  for (const link of await resolveLinksByNumber(db, unknown)) {
    links.set(nameOf(link), link);
    if (linkCache.size >= cachedLinksMax) linkCache.clear();
    linkCache.set(nameOf(link), link);
  }
  return links;
}

/** Reads the keys again before it accepts an invalid signature, because another process may have created a key. */
async function readAll(ring: KeyRing, references: readonly ClickReference[]): Promise<ReadonlyArray<ReadClickId | null>> {
  const read = () => references.map(({ text }) => (text === null ? null : readClickId(text, ring.keys())));
  const first = read();
  if (first.every((click) => click === null || click.is === 'genuine')) return first;
  await ring.refresh();
  return read();
}
