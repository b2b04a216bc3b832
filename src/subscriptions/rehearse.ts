import type { Transaction } from '../platform/database/database.ts';
import { decide } from './carry-out.ts';
import { loadFacts, type Loading } from './facts.ts';
import type { Item } from './item.ts';
import { outcomeOf, type Told } from './outcome.ts';

/** What a recurring report would be answered with just now, by a real one's facts and decision; nothing is kept. Null: try again. */
export async function rehearseEvent(tx: Transaction, loading: Loading, item: Item): Promise<Told | null> {
  const decision = decide(item, await loadFacts(tx, loading, [item]), loading.now);
  return decision && outcomeOf(decision);
}
