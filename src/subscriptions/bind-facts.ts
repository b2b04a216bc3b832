import { seeClicks, type ClickSeen } from '../clicks/see.ts';
import type { KeyRing } from '../clicks/signing-keys.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId, timeOfId } from '../platform/ids.ts';
import type { BindFacts, BoundClick } from './decide-bind.ts';
import { relationshipKeyOf, storeOf, type BindItem, type Item } from './item.ts';
import type { Relationship } from './relationship.ts';

type Binding = { readonly item: BindItem; readonly before: Relationship | null };

export async function bindFacts(
  tx: Transaction,
  { ring, now }: { readonly ring: KeyRing; readonly now: Date },
  bindings: readonly Binding[],
): Promise<ReadonlyMap<Item, BindFacts>> {
  const facts = new Map<Item, BindFacts>();
  if (bindings.length === 0) return facts;
  const wanted = bindings.map(({ item }) => ({ storeId: storeOf(item), text: item.report.clickId }));
  const seen = await seeClicks(tx, ring, wanted);
  const programs = await termsOfPrograms(
    tx,
    seen.filter((click) => click?.kind === 'referral'),
  );
  for (const [place, { item, before }] of bindings.entries()) {
    const click = seen[place] ?? null;
    facts.set(item, {
      now,
      key: relationshipKeyOf(item),
      earlier: null,
      click: click && boundClickOf(click, termsAt(click, programs, item.report.occurredAt ?? now)),
      before,
      fresh: { bindingId: newId<'bind'>(now), eventId: newId<'evt'>(now) },
    });
  }
  return facts;
}

/** A click's id is its time. */
function boundClickOf(click: ClickSeen, terms: Terms | null): BoundClick {
  return click.kind === 'test' ? { ...click, at: timeOfId(click.clickId) } : { ...click, terms };
}

/** A time that cannot be read is refused before the terms are looked at. */
function termsAt(click: ClickSeen, programs: ReadonlyMap<string, readonly Terms[]>, boundAt: Date | 'unreadable'): Terms | null {
  if (click.kind === 'test' || boundAt === 'unreadable') return null;
  return termsInForce(programs.get(click.programId) ?? [], boundAt);
}
