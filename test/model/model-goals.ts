/** Bonuses of goals, implemented independently from decision 0132 for the model of test/model/model.ts: from the list of all approvals. */
import { inForce, open, type Books, type Commission, type GoalBonus } from './model-books.ts';
import type { Goal, Owner } from './terms.ts';

const owners: readonly Owner[] = ['ada', 'ben'];
const earnedStates: ReadonlyArray<Commission['state']> = ['approved', 'billed', 'paid'];

type Period = { readonly owner: Owner; readonly month: string };

/** Orders that count, in the order of their approvals. An empty month is all of the time. */
const countedIn = ({ commissions }: Books, { owner, month }: Period) =>
  commissions
    .flatMap(({ what, source, owner: earner, state, approvedAt }) =>
      source === 'order' && earner === owner && earnedStates.includes(state) && approvedAt !== null ? [{ what, approvedAt }] : [],
    )
    .filter(({ approvedAt }) => monthOf(approvedAt).startsWith(month))
    .toSorted((one, other) => one.approvedAt - other.approvedAt);

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** The present month, and the one before. */
function monthsAt(now: number): readonly string[] {
  const date = new Date(now);
  return [monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)), monthOf(now)];
}

/** A bonus that the service has added, with the IDs of the counted orders. */
export type CameGoal = {
  readonly owner: Owner;
  readonly key: string;
  readonly month: string;
  readonly version: number;
  readonly orders: readonly string[];
  readonly isNotified: boolean;
};

/** The daily job. Returns what is not as expected in the bonuses that the service has after it, or null. */
export function awardGoals(books: Books, now: number, came: readonly CameGoal[]): string | null {
  const wanted = books.versions.flatMap(({ goals = [] }) => goals);
  const goals = [...new Map(wanted.map((goal) => [keyOf(goal), goal])).values()];
  const periods = goals.flatMap(({ orders, period }) =>
    (period === 'total' ? [''] : monthsAt(now)).flatMap((month) => owners.map((owner) => ({ orders, period, month, owner }))),
  );
  for (const one of periods) {
    const problem = award(books, { ...one, now, came });
    if (problem !== null) return problem;
  }
  for (const bonus of books.goals) reconsider(books, bonus);
  const [real, expected] = [came.map(textOf).sort(), books.goals.map(expectedText).sort()];
  return JSON.stringify(real) === JSON.stringify(expected)
    ? null
    : `goals\n  actual   ${JSON.stringify(real)}\n  expected ${JSON.stringify(expected)}`;
}

type Awarding = Period & Pick<Goal, 'orders' | 'period'> & { readonly now: number; readonly came: readonly CameGoal[] };

function award(books: Books, { owner, month, orders, period, now, came }: Awarding): string | null {
  const key = keyOf({ orders, period });
  if (books.goals.some((one) => one.owner === owner && one.month === month && keyOf(one.goal) === key)) return null;
  const counted = countedIn(books, { owner, month });
  const last = counted[orders - 1];
  if (last === undefined) return null;
  const { number: version, goals = [] } = inForce(books, last.approvedAt);
  const goal = goals.find((one) => keyOf(one) === key);
  if (goal === undefined) {
    books.tally('goal reached before or after its versions');
    return null;
  }
  const said = orders === 1 ? 'the first approved order' : `${orders} approved orders`;
  const what = `${owner} Goal reached: ${said}${month && ` in ${month}`}`;
  const parts = [{ product: null, rule: { flat_cents: goal.amount_cents }, amount: goal.amount_cents, quantity: 1 }];
  const opening = { source: 'bonus', at: now, version, earned: '', parts, eligible: 0, cameEarly: false, owner, by: 'hand' } as const;
  books.goals.push({ owner, goal: { orders, period }, month, commission: open(books, what, opening), isNotified: false });
  books.tally(`goal reached: ${period}`);
  const named = came.find((one) => one.owner === owner && one.month === month && one.key === key)?.orders ?? [];
  // Of orders that were approved at the same time, any may be named.
  const isRight =
    new Set(named).size === orders &&
    named.every((one) => counted.some(({ what: text, approvedAt }) => text === one && approvedAt <= last.approvedAt)) &&
    counted.every(({ what: text, approvedAt }) => approvedAt >= last.approvedAt || named.includes(text));
  return isRight ? null : `${what} names ${JSON.stringify(named)} of ${JSON.stringify(counted)}`;
}

/** After the approval of the bonus a person decides, and the team is notified once. */
function reconsider(books: Books, bonus: GoalBonus): void {
  const { commission, goal } = bonus;
  if (commission.held !== null) return;
  const isReached = countedIn(books, bonus).length >= goal.orders;
  if (commission.state === 'rejected') {
    if (!commission.isWithdrawn || !isReached) return;
    Object.assign(commission, { state: 'pending', isWithdrawn: false });
    books.tally('goal: restored');
  } else if (!isReached && commission.state === 'pending') {
    Object.assign(commission, { state: 'rejected', isWithdrawn: true });
    books.tally('goal: withdrawn');
  } else if (!isReached && commission.state !== 'reversed' && !bonus.isNotified) {
    bonus.isNotified = true;
    books.tally('goal: team notified');
  }
}

const keyOf = ({ orders, period }: Pick<Goal, 'orders' | 'period'>): string => `${period} ${orders}`;
const textOf = ({ owner, key, month, version, isNotified }: CameGoal): string =>
  `${owner} ${key} ${month} version ${version} ${isNotified}`;
const expectedText = ({ goal, commission: { version }, ...bonus }: GoalBonus): string =>
  textOf({ ...bonus, key: keyOf(goal), version, orders: [] });
