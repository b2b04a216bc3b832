import { decideStep } from '../../sdk/src/decide-stripe.ts';
import type { Result } from '../../sdk/src/send.ts';
import type { Handled } from './event-end.ts';

/** A report with different content was recorded earlier: the first one remains, and later reports may follow. */
const remains: ReadonlySet<string> = new Set(['duplicate_order_conflict', 'duplicate_refund_conflict']);

/** Sequential: the service must have an order before its refund. */
export async function reportInTurn(sends: ReadonlyArray<() => Promise<Result>>): Promise<Handled> {
  for (const send of sends) {
    const result = await send();
    if (remains.has(result.reason)) continue;
    const step = decideStep(result, { isBind: false });
    const { reason, message } = result;
    if (step.is === 'again') return { outcome: result.retry === 'tomorrow' ? 'held' : 'again', reason, message };
    if (step.is === 'forget') return { outcome: 'refused', reason, message };
  }
  return { outcome: 'done', reason: null, message: null };
}
