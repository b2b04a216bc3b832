import type { Why } from '../contract/why.ts';
import type { RefusedOrder } from '../creators/refused-orders-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Partners } from './decide-attribution.ts';

type Decided = {
  /** Null: the store counts only clicks. */
  readonly partners: Partners | null;
  readonly why: Why;
  /** The creators who earn the order, or already see why they do not. */
  readonly informed: ReadonlyArray<Id<'crt'> | null>;
};

export type RejectedCodeOwner = Pick<RefusedOrder, 'creatorId' | 'programId' | 'linkNumber' | 'why'> & {
  readonly clickId: null;
  readonly reason: 'code_does_not_count';
};

/** What the owners of codes that did not count see of an order, lead, or subscription. The owner of a shared code sees nothing. */
export function rejectedCodeOwners({ partners, why, informed }: Decided): readonly RejectedCodeOwner[] {
  const rejected = (why.rejected_codes ?? []).filter(({ because }) => because !== 'shared');
  const happened = why.occurred_at === undefined ? {} : { occurred_at: why.occurred_at };
  const codes = (partners?.codes ?? []).filter(({ creatorId }) => !informed.includes(creatorId));
  const owners = Map.groupBy(codes, ({ creatorId }) => creatorId);
  return [...owners.values()].flatMap((ofOwner): readonly RejectedCodeOwner[] => {
    const own = rejected.filter((one) => ofOwner.some(({ code }) => code === one.discount_code));
    const first = ofOwner.find(({ code }) => code === own[0]?.discount_code);
    if (first === undefined) return [];
    const { creatorId, programId, linkNumber } = first;
    return [{ creatorId, programId, linkNumber, clickId: null, reason: 'code_does_not_count', why: { ...happened, rejected_codes: own } }];
  });
}
