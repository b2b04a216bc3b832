import { addGoalBonus } from '../bonuses/add-goal-bonus.ts';
import { decideGoal } from '../bonuses/decide-goal.ts';
import {
  findGoalMarks,
  listDoubtfulGoals,
  listGoalReachers,
  setGoalNotified,
  setGoalWithdrawn,
  type DoubtfulGoal,
} from '../bonuses/goals-sql.ts';
import { listGoalOrders } from '../commissions/goals-sql.ts';
import { lockForReview } from '../commissions/review-sql.ts';
import { firstIdAt, publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { nowOrLater, plusDays } from '../core/time.ts';
import type { Transaction } from '../db/database.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';
import { goalMonthsAt, monthOf } from '../merchants/goal-months.ts';
import { goalKey, type Goal } from '../merchants/goals.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { hasGoals, listProgramsWithGoals, termsOfProgram } from '../merchants/terms-sql.ts';
import { applicableVersions, type Terms } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { roleHasPermission } from '../people/permissions.ts';
import { listTeamMembers } from '../people/team-sql.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import { whatIsDue } from '../queue/scheduled-jobs.ts';
import type { Platform } from '../runtime/platform.ts';
import { applyReview, type Review } from './apply-review.ts';
import { goalLostEmail } from './review-emails.ts';

type OfProgram = { readonly storeId: Id<'store'>; readonly programId: Id<'prog'> };

const programsPerPage = 200;
const creatorsPerPage = 200;
const pagesMax = 10_000;
const doubtDays = 400;

/** Null without goals in any store. */
export const nextGoalsAt = async ({ database }: Platform): Promise<Date | null> => ((await hasGoals(database)) ? whatIsDue : null);

/**
 * A daily job: adds the bonuses of goals that approved orders have reached, and withdraws those whose orders were rejected or refunded.
 * Approvals do not wait for it, and stores without goals have no row.
 */
export async function awardGoals(platform: Platform, now: Date): Promise<void> {
  const failures = tenantFailures(platform.log, 'The goals of stores could not be decided');
  const pages = boundedKeysetPages<OfProgram, OfProgram>({ rowsPerPage: programsPerPage, pagesMax }, itself, (page) =>
    listProgramsWithGoals(platform.database, page),
  );
  for await (const programs of pages)
    for (const program of programs) await failures.run(publicId('store', program.storeId), () => awardGoalsOf(platform, program, now));
  failures.raise();
}

export async function awardGoalsOf(platform: Platform, program: OfProgram, now: Date): Promise<void> {
  await awardProgram(platform, program, now);
  await reviewProgram(platform, program, now);
}

async function awardProgram(platform: Platform, program: OfProgram, now: Date): Promise<void> {
  const versions = applicableVersions(await termsOfProgram(platform.database, program));
  for (const [index, terms] of versions.entries()) {
    const until = versions[index + 1]?.effectiveFrom ?? now;
    for (const goal of terms.goals ?? [])
      for (const month of goalMonthsAt(goal, now))
        await awardGoal(platform, { ...program, goal, terms, until: until < now ? until : now, month }, now);
  }
}

type GoalInForce = OfProgram & { readonly goal: Goal; readonly terms: Terms; readonly until: Date; readonly month: string };

/** `now` is the time at which the run was due. */
async function awardGoal({ database, clock }: Platform, inForce: GoalInForce, now: Date): Promise<void> {
  const { goal, terms, month } = inForce;
  const wanted = {
    ...inForce,
    orders: goal.orders,
    goalKey: goalKey(goal),
    goalMonth: month,
    month: monthOf(month),
    from: terms.effectiveFrom,
  };
  const pages = boundedKeysetPages<Id<'crt'>, Id<'crt'>>({ rowsPerPage: creatorsPerPage, pagesMax }, itself, (page) =>
    listGoalReachers(database, { ...wanted, ...page }),
  );
  for await (const creators of pages)
    for (const creatorId of creators)
      await database.transaction((tx) => addGoalBonus(tx, { ...inForce, creatorId }, () => nowOrLater(clock, now)));
}

async function reviewProgram(platform: Platform, program: OfProgram, now: Date): Promise<void> {
  const since = firstIdAt(plusDays(now, -doubtDays));
  const pages = boundedKeysetPages<DoubtfulGoal, Id<'bonus'>>(
    { rowsPerPage: creatorsPerPage, pagesMax },
    ({ bonusId }) => bonusId,
    (page) => listDoubtfulGoals(platform.database, { ...program, since, ...page }),
  );
  for await (const doubtful of pages)
    for (const goal of doubtful) await platform.database.transaction((tx) => reviewGoal(tx, platform, { ...program, ...goal }));
}

/** Decides under the lock of the bonus's commission, so that an approval at the same time is either seen or waits. */
async function reviewGoal(tx: Transaction, platform: Platform, goal: OfProgram & DoubtfulGoal): Promise<void> {
  const { storeId, commissionId, goalKey: key, goalMonth } = goal;
  const locked = await lockForReview(tx, storeId, [commissionId]);
  const [commission] = locked;
  invariant(commission !== undefined, 'a bonus has a commission');
  const now = platform.clock.now();
  const orders = Number(key.split(' ')[1]);
  const counted = await listGoalOrders(tx, goal, { month: monthOf(goalMonth), limit: orders });
  const decision = decideGoal({
    state: commission.state,
    isHeld: commission.heldReason !== null,
    isReached: counted.length === orders,
    ...(await findGoalMarks(tx, goal)),
  });
  const by = { actor: 'system', name: apiMessage('bonus.goal_author') };
  const review = (action: Review['action']) => applyReview(tx, { storeId, action, by, now: () => now }, locked);
  switch (decision) {
    case 'keep':
      return;
    case 'withdraw':
      await review({ do: 'reject', reason: apiMessage('bonus.goal_lost'), note: null });
      return void (await setGoalWithdrawn(tx, goal, now));
    case 'restore':
      await review({ do: 'reopen', note: apiMessage('bonus.goal_reached_again') });
      return void (await setGoalWithdrawn(tx, goal, null));
    case 'tell':
      await tellTeam(tx, platform, goal);
      return void (await setGoalNotified(tx, goal, now));
  }
}

async function tellTeam(
  tx: Transaction,
  platform: Platform,
  { storeId, programId, commissionId }: OfProgram & DoubtfulGoal,
): Promise<void> {
  const [store, program] = [await findStore(tx, storeId), await findProgram(tx, { storeId, programId })];
  invariant(store !== null && program !== null, 'stores and programs are never deleted');
  const url = `${platform.config.baseUrl}/stores/${publicId('store', storeId)}/conversions?open=${publicId('com', commissionId)}`;
  const content = goalLostEmail({ store: store.name, program: program.name, url });
  const team = (await listTeamMembers(tx, storeId)).filter(({ role }) => roleHasPermission(role, 'commissions:review'));
  for (const { email } of team) await enqueueEmail(tx, platform.secrets, { to: email, content, storeId });
}
