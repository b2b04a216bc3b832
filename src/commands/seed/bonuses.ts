import { addBonus } from '../../bonuses/add-bonus.ts';
import { publicId } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import { cents } from '../../core/money.ts';
import { hourMs, plusDays, startOfDay } from '../../core/time.ts';
import { isRefusal } from '../../http/responses.ts';
import { memberOf } from './rates.ts';
import { bonusStory } from './story.ts';
import type { Year } from './year.ts';

type Span = { readonly days: number; readonly begin: Date };

/** What the merchant pays for beside orders. The bonuses are reviewed with the commissions of the same days. */
export function planBonuses(year: Year, { days, begin }: Span): void {
  for (const bonus of bonusStory) {
    const at = new Date(startOfDay(plusDays(begin, Math.max(1, bonus.day(days)))).getTime() + 13 * hourMs);
    year.agenda.push({ at, run: () => add(year, bonus, at) });
  }
}

async function add(year: Year, { creator, amountCents, reason }: (typeof bonusStory)[number], at: Date): Promise<void> {
  const { creatorId } = await memberOf(year, creator);
  const { database, storeId, programId, merchant } = year;
  const by = { ...merchant, creatorId: null };
  const bonus = { storeId, programId, creatorId, amount: cents(amountCents), reason, orderId: null, by, at };
  const added = await database.transaction((tx) => addBonus(tx, bonus));
  invariant(!isRefusal(added), 'the history adds bonuses to members, within the limits');
  const details = { creator_id: publicId('crt', creatorId), amount_cents: amountCents };
  await year.audit(at, 'bonus.add', `/programs/${publicId('prog', programId)}/bonuses`, details);
}
