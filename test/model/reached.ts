/**
 * How often a thousand histories usually reach each outcome that a rule, a limit, or a refund can have. A generator that no longer reaches
 * one compares nothing there, so the test requires a twentieth of it.
 */
const usualPerThousand: Readonly<Record<string, number>> = {
  'acceptance: accepted': 250,
  'acceptance: refused': 130,
  'bonus by hand': 180,
  'budget covers the order': 350,
  'budget exceeded: creator_month': 190,
  'budget exceeded: creator_total': 150,
  'budget exceeded: program_month': 310,
  'budget exceeded: program_total': 310,
  'canceled: announced': 120,
  'condition fails: countries': 590,
  'condition fails: min_order': 530,
  'condition fails: new_customers': 2_050,
  'condition fails: products': 670,
  'condition holds: min_order_cents': 430,
  'condition holds: new_customers': 40,
  'condition holds: products': 60,
  'goal reached: month': 200,
  'goal reached: total': 240,
  'goal: team notified': 40,
  'goal: withdrawn': 30,
  'invoice by click': 380,
  'lead by click': 570,
  'lead by code': 220,
  'lead by version: click_before_change': 50,
  'lead: limit': 180,
  'lead: no limit': 160,
  'new terms refused: conflict': 200,
  'new terms refused: notice': 50,
  'new terms: announced': 400,
  'tier reached after the order, or earlier': 100,
  'order by click': 5_620,
  'order by code': 720,
  'order by customer': 50,
  'order by level: group': 220,
  'order by level: member': 940,
  'order by level: none': 2_220,
  'order by level: product': 740,
  'order by level: program': 4_080,
  'order by level: tier': 740,
  'order by tier: days_30 of approved_commissions': 100,
  'order by tier: days_30 of approved_revenue': 190,
  'order by tier: days_90 of approved_commissions': 50,
  'order by tier: days_90 of approved_revenue': 150,
  'order by tier: month of approved_commissions': 100,
  'order by tier: month of approved_revenue': 140,
  'order by version: accepted': 90,
  'order by version: click_before_change': 360,
  paid: 170,
  'refund of a part: approved': 160,
  'refund of a part: pending': 80,
  'subscription by level: member': 40,
  'subscription by level: product': 270,
  'subscription by level: program': 270,
  'subscription by level: tier': 40,
  'tier by the time zone': 40,
  'tier of an earlier period: month': 60,
};
const leastPart = 1 / 20;
/** Fewer histories say nothing about what is usual. */
const historiesMin = 100;

/** Outcomes that these histories reached too rarely. */
export function reachedTooRarely(reached: ReadonlyMap<string, number>, histories: number): readonly string[] {
  if (histories < historiesMin) return [];
  return Object.entries(usualPerThousand).flatMap(([what, usual]) => {
    const least = Math.floor((usual * histories * leastPart) / 1_000);
    const count = reached.get(what) ?? 0;
    return count < least ? [`${what}: ${count}, at least ${least}`] : [];
  });
}

/** In the order of their names. */
export const reachedText = (reached: ReadonlyMap<string, number>): string =>
  [...reached]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');
