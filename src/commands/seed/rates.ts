import { hourMs, plusDays } from '../../core/time.ts';
import { newId, publicId } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import { findMembership } from '../../creators/members-sql.ts';
import { moveMember } from '../../creators/move-member.ts';
import { findRateSubjects } from '../../creators/rate-subjects-sql.ts';
import { isRefusal, type Refusal } from '../../http/responses.ts';
import type { TermsDraft } from '../../merchants/decide-terms.ts';
import { insertGroup } from '../../merchants/member-groups-sql.ts';
import { addTerms } from '../../merchants/program-terms.ts';
import { countedTerms } from './codes.ts';
import { groupStory } from './story.ts';
import { startOfDay, type Year } from './year.ts';

/** From this part of the history on, rates differ between creators. By then, all creators of the group have joined. */
const changedAfter = 0.6;

const orderRate = (basisPoints: number) => ({
  orderRules: [{ productId: null, basisPoints, flatCents: null }],
  subscriptionRules: [],
});

/** Approved commissions of a calendar month. */
const tiers = [
  { threshold: 5, ...orderRate(1_200) },
  { threshold: 15, ...orderRate(1_400) },
] as const;
const budget = { program_month_cents: 400_000, creator_month_cents: 150_000 };

type Span = { readonly days: number; readonly begin: Date };

/** The merchant names a group, gives it and one creator rates of their own, adds tiers for all others, and limits what a month may cost. */
export function planRates(year: Year, { days, begin }: Span): void {
  const at = new Date(startOfDay(plusDays(begin, Math.ceil(days * changedAfter))).getTime() + 14 * hourMs);
  year.agenda.push({ at, run: () => changeRates(year, at) });
}

async function changeRates(year: Year, at: Date): Promise<void> {
  const { database, storeId, programId, audit } = year;
  const path = `/programs/${publicId('prog', programId)}`;
  const groupId = newId<'grp'>(at);
  const of = { storeId, programId };
  await database.transaction((tx) => insertGroup(tx, { ...of, groupId, name: groupStory.name, createdAt: at }));
  await audit(at, 'group.create', `${path}/groups/${publicId('grp', groupId)}`, { name: groupStory.name });
  for (const name of groupStory.members) {
    const memberId = await memberOf(year, name);
    made(await database.transaction((tx) => moveMember(tx, { ...of, memberId, groupId: publicId('grp', groupId), at })));
    await audit(at, 'member.group', `${path}/members/${publicId('mem', memberId)}/group`, { group_id: publicId('grp', groupId) });
  }
  const negotiated = await memberOf(year, groupStory.negotiated);
  const draft: TermsDraft = {
    ...countedTerms,
    effectiveFrom: undefined,
    ownRates: [
      { groupId: publicId('grp', groupId), memberId: null, ...orderRate(groupStory.groupBasisPoints) },
      { groupId: null, memberId: publicId('mem', negotiated), ...orderRate(groupStory.negotiatedBasisPoints) },
    ],
    tiers: { measure: 'approved_commissions', period: 'month', timeZone: 'America/New_York', tiers },
    budget,
  };
  await database.transaction(async (tx) => made(await addTerms(tx, of, draft, { subjects: await findRateSubjects(tx, of, draft), at })));
  await audit(at, 'terms.add', `${path}/terms`, { tiers: tiers.length, own_rates: 2, budget });
}

async function memberOf({ database, storeId, programId, links }: Year, name: string) {
  const link = links.find(({ creator }) => creator.name === name);
  invariant(link, 'the creators with rates of their own have joined');
  const member = await findMembership(database, { storeId, programId, creatorId: link.creatorId });
  invariant(member, 'a creator with a link is a member');
  return member.memberId;
}

function made<Made>(result: Made | Refusal): Made {
  invariant(!isRefusal(result), 'the history asks only for what is allowed');
  return result;
}
