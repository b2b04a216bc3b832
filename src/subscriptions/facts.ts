import type { KeyRing } from '../clicks/signing-keys.ts';
import { isSameContent } from '../contract/sameness.ts';
import type { Transaction } from '../platform/database/database.ts';
import { bindFacts } from './bind-facts.ts';
import type { BindFacts } from './decide-bind.ts';
import type { EarlierEvent } from './event.ts';
import { eventsByHash, type KeptEvent } from './events-sql.ts';
import { eventKeyOf, eventName, relationshipKeyOf, relationshipName, type BindItem, type Item } from './item.ts';
import type { Relationship } from './relationship.ts';
import { standingFacts, type Standing } from './standing-facts.ts';
import { eventLists } from './report.ts';
import { lockRelationships, relationshipsByHash } from './sql.ts';

export type Loading = { readonly ring: KeyRing; readonly now: Date; readonly lockWaitMs: number };

/** What is known of each item; an item without its facts leaves the batch, because somebody else holds a row of it. */
export type Facts = {
  readonly earlier: ReadonlyMap<Item, EarlierEvent>;
  readonly binds: ReadonlyMap<Item, BindFacts>;
  readonly standing: ReadonlyMap<Item, Standing>;
};

/**
 * What the decisions need, for all items of a batch at once: a statement per question, not per item. In the order of locks
 * (relationships, then commissions), and each set of facts in a statement after its lock. What was sent before needs no lock.
 */
export async function loadFacts(tx: Transaction, { ring, now, lockWaitMs }: Loading, items: readonly Item[]): Promise<Facts> {
  const events = new Map((await eventsByHash(tx, items.map(eventKeyOf))).map((event) => [eventName(event), event]));
  const earlier = new Map<Item, EarlierEvent>();
  for (const item of items) {
    const event = events.get(eventName(eventKeyOf(item)));
    if (event) earlier.set(item, earlierOf(item, event));
  }
  // A copy whose event is gone all the same has no turn here; it is tried alone.
  const unheard = items.filter((item) => !earlier.has(item) && !(item.isCopy && items.length > 1));
  // A bind changes no relationship that is there.
  const changing = unheard.filter((item) => item.is !== 'relationship');
  // Not in one round trip: what is read must be younger than the lock, and the lock may take a question of its own before it.
  const locked = new Set((await lockRelationships(tx, changing.map(relationshipKeyOf), lockWaitMs)).map(relationshipName));
  const found = new Map((await relationshipsByHash(tx, unheard.map(relationshipKeyOf))).map((one) => [relationshipName(one), one]));
  const relationshipOf = (item: Item): Relationship | null => found.get(relationshipName(relationshipKeyOf(item))) ?? null;

  const open = changing.filter((item) => relationshipOf(item) === null || locked.has(relationshipName(relationshipKeyOf(item))));
  const standing = await standingFacts(
    tx,
    lockWaitMs,
    open.map((item) => ({ item, relationship: relationshipOf(item) })),
  );
  const binding = unheard.filter((item): item is BindItem => item.is === 'relationship');
  const binds = await bindFacts(
    tx,
    { ring, now },
    binding.map((item) => ({ item, before: relationshipOf(item) })),
  );
  return { earlier, binds, standing };
}

/** An event of another operation is other content, whatever it says. */
function earlierOf(
  item: Item,
  { operation, contentHash, receivedAt, reason, recordedEventId, bindingId, commissionId }: KeptEvent,
): EarlierEvent {
  const isSame = operation === item.is && isSameContent(contentHash, eventLists[operation], item.report.content);
  if (reason !== 'recorded' && reason !== 'no_matching_subscription_rule') return { receivedAt, isSame, answer: null };
  return { receivedAt, isSame, answer: { reason, eventId: recordedEventId, bindingId, commissionId } };
}
