import type { KeyRing } from '../clicks/signing-keys.ts';
import type { Postback } from '../contract/door.ts';
import { Fault } from '../contract/fields.ts';
import { hashOfId } from '../contract/sameness.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { conversionFacts } from './conversion-facts.ts';
import { decideConversion } from './decide-conversion.ts';
import { decideReversal } from './decide-reversal.ts';
import type { Item } from './item.ts';
import { outcomeOfConversion, outcomeOfReversal, type Told } from './outcome.ts';
import { readConversion, readReversal } from './report.ts';
import { reversalFacts } from './reversal-facts.ts';

/** From JSON to what is decided. */
export function readOrderItem(is: Item['is'], postback: Postback<Integration>): Item | Fault {
  if (is === 'conversion') {
    const report = readConversion(postback.json);
    return report instanceof Fault ? report : { is, report, postback, orderHash: hashOfId(report.content, 'order_id') };
  }
  const report = readReversal(postback.json);
  return report instanceof Fault ? report : { is, report, postback, orderHash: hashOfId(report.content, 'order_id') };
}

type Loading = { readonly ring: KeyRing; readonly now: Date; readonly lockWaitMs: number };

/** What a one-time report would be answered with just now, by a real one's facts and decision; nothing is kept. Null: try again. */
export async function rehearseOrder(tx: Transaction, { ring, now, lockWaitMs }: Loading, item: Item): Promise<Told | null> {
  if (item.is === 'conversion') {
    const [loaded] = await conversionFacts(tx, ring, [item], now);
    return loaded ? outcomeOfConversion(decideConversion(item.report, loaded.facts)) : null;
  }
  const [loaded] = await reversalFacts(tx, [item], now, lockWaitMs);
  return loaded?.facts ? outcomeOfReversal(decideReversal(item.report, loaded.facts)) : null;
}
