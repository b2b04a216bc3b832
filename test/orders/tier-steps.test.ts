import { afterAll, expect, test } from 'vitest';
import { listTierSteps, type StepOfCreator, type TierPeriodOfCreator } from '../../src/commissions/tiers-sql.ts';
import { newId } from '../../src/core/ids.ts';
import { dayMs } from '../../src/core/time.ts';
import { bigints, sql, texts, timestamps } from '../../src/db/sql.ts';
import type { TierTerms } from '../../src/merchants/terms.ts';
import { freshDatabase } from '../support/database.ts';
import { randomFrom, seed, type Prng } from '../support/size.ts';

const { database } = await freshDatabase();
afterAll(() => database.end());

const began = new Date('2026-03-01T00:00:00.000Z');
const after = (ms: number): Date => new Date(began.getTime() + ms);

type Approval = { readonly at: Date; readonly eligible: bigint; readonly refunded: bigint; readonly state: string; readonly kind: string };
const newOwner = () => ({ storeId: newId<'store'>(began), programId: newId<'prog'>(began), creatorId: newId<'crt'>(began) });
type Owner = ReturnType<typeof newOwner>;

async function insertApprovals({ storeId, programId, creatorId }: Owner, approvals: readonly Approval[]): Promise<void> {
  await database.run(sql`
    insert into commissions (store_id, commission_id, state, program_id, creator_id, link_number, source_kind, source_id, source_text,
      eligible_cents, refunded_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_days, hold_until,
      earned, earned_after_refunds, approved_at, rejected_at)
    select ${storeId}, gen_random_uuid(), state, ${programId}, ${creatorId}, 1, kind, gen_random_uuid(), 'o', eligible, refunded, 0, at, at,
      1, 30, 30, at, '[]', case when refunded > 0 then '[]'::jsonb end,
      case when state = 'approved' then at end, case when state = 'rejected' then at end
    from unnest(${timestamps(approvals.map(({ at }) => at))}, ${bigints(approvals.map(({ eligible }) => eligible))},
      ${bigints(approvals.map(({ refunded }) => refunded))}, ${texts(approvals.map(({ state }) => state))},
      ${texts(approvals.map(({ kind }) => kind))}) as given (at, eligible, refunded, state, kind)`);
}

const tiersOf = (measure: TierTerms['measure'], thresholds: readonly number[]): TierTerms => ({
  measure,
  period: 'days_90',
  timeZone: 'UTC',
  tiers: thresholds.map((threshold) => ({ threshold: BigInt(threshold), orderRules: [], subscriptionRules: [] })),
});

/** The definition: every approval of the period in its order, with the sum until then. */
async function everyStep({ storeId, programId, creatorId, from, tiers }: TierPeriodOfCreator) {
  const rows = await database.all<{ readonly approvedAt: Date; readonly figure: bigint }>(sql`
    select approved_at, sum(case ${tiers.measure}::text when 'approved_revenue' then eligible_cents - refunded_cents else 1 end)
      over (order by approved_at)::bigint as figure
    from commissions
    where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} and approved_at >= ${from}
      and state = 'approved' and source_kind in ('order', 'invoice')
    order by approved_at`);
  const reached = new Map<number, { readonly reachedAt: Date; readonly figure: bigint }>();
  for (const { approvedAt, figure } of rows) {
    const number = tiers.tiers.filter(({ threshold }) => threshold <= figure).length;
    if (number > 0 && !reached.has(number)) reached.set(number, { reachedAt: approvedAt, figure });
  }
  return [...reached].map(([number, step]) => ({ number, ...step }));
}

/** Some at the same moment, around midnights, and some that do not count. */
function approvalsOf(random: Prng): readonly Approval[] {
  const moments = Array.from({ length: 8 }, () => random.below(6 * dayMs));
  return Array.from({ length: random.below(60) }, () => {
    const ms = random.isOneIn(3) ? random.oneOf(moments) : random.below(6) * dayMs + random.oneOf([-1, 0, 1, random.below(dayMs)]);
    const eligible = random.isOneIn(6) ? 0n : BigInt(random.below(500));
    return {
      at: after(ms),
      eligible,
      refunded: random.isOneIn(3) ? BigInt(random.below(Number(eligible) + 1)) : 0n,
      state: random.isOneIn(8) ? 'rejected' : 'approved',
      kind: random.oneOf(['order', 'order', 'order', 'invoice', 'lead']),
    };
  });
}

const thresholdsOf = (random: Prng, below: number): readonly number[] =>
  [...new Set(Array.from({ length: 1 + random.below(4) }, () => 1 + random.below(below)))].toSorted((one, other) => one - other);

const stepOf = ({ number, reachedAt, figure }: Pick<StepOfCreator, 'number' | 'reachedAt' | 'figure'>) => ({ number, reachedAt, figure });

test(`each tier is reached at the approval that reaches it when all are added up one by one (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  let reached = 0;
  for (let round = 0; round < 60; round++) {
    const owner = newOwner();
    await insertApprovals(owner, approvalsOf(random));
    const periods = Array.from({ length: 4 }, (_, place) => ({
      ...owner,
      from: after(random.oneOf([0, random.below(6 * dayMs), dayMs, dayMs + 1])),
      tiers:
        place % 2 === 0
          ? tiersOf('approved_commissions', thresholdsOf(random, 40))
          : tiersOf('approved_revenue', thresholdsOf(random, 9_000)),
    }));
    const found = Map.groupBy(await listTierSteps(database, periods), ({ place }) => place);
    for (const [place, period] of periods.entries()) {
      const expected = await everyStep(period);
      expect((found.get(place) ?? []).map(stepOf)).toEqual(expected);
      reached += expected.length;
    }
  }
  expect(reached).toBeGreaterThan(60);
});
