import { decidedFiguresOf, linkFiguresOf } from '../commissions/figures-sql.ts';
import { replaceFigures } from '../figures/sql.ts';
import { allStores } from '../merchants/stores-sql.ts';
import { repeatable } from '../platform/database/snapshot.ts';
import { kindOfFailure } from '../platform/database/sql-errors.ts';
import { everyPage } from '../platform/http/csv.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';

/** What can be counted anew. Arrivals that were filtered left nothing behind but their figure. */
const rebuilt = ['order', 'invoice', 'reversal', 'lost', 'approved', 'paid'] as const;
const triesMax = 20;

/** Counts every store's figures anew from its commissions, while the service is at work. Answers how many stores there were. */
export async function rebuildFigures({ nightDatabase: database }: Pick<Platform, 'nightDatabase'>): Promise<number> {
  let count = 0;
  const pages = everyPage(
    (page) => allStores(database, page),
    ({ storeId }) => [storeId],
  );
  for await (const stores of pages) {
    for (const { storeId } of stores) await rebuildStore(database, storeId);
    count += stores.length;
  }
  return count;
}

async function rebuildStore(database: Platform['database'], storeId: Id<'store'>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await repeatable(database, async (tx) => {
        const links = await linkFiguresOf(tx, storeId);
        await replaceFigures(tx, { storeId, links, stores: await decidedFiguresOf(tx, storeId) }, rebuilt);
      });
    } catch (error) {
      if (tries === triesMax || kindOfFailure(error) !== 'again') throw error;
    }
  }
}
