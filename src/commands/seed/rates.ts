import { hourMs, plusDays, startOfDay } from '../../core/time.ts';
import { newId, publicId } from '../../core/ids.ts';
import { invariant } from '../../core/invariant.ts';
import { acceptVersion } from '../../commissions/next-terms-api.ts';
import { findMembership, type Member } from '../../creators/members-sql.ts';
import { moveMember } from '../../creators/move-member.ts';
import { findGroupsOfNamed, findRateSubjects } from '../../creators/rate-subjects-sql.ts';
import { isRefusal, type Refusal } from '../../http/responses.ts';
import { acceptableVersion } from '../../merchants/decide-acceptance.ts';
import type { TermsDraft } from '../../merchants/decide-terms.ts';
import { insertGroup } from '../../merchants/member-groups-sql.ts';
import { addTerms } from '../../merchants/program-terms.ts';
import { termsOfProgram } from '../../merchants/terms-sql.ts';
import type { Terms } from '../../merchants/terms.ts';
import { sendNotices } from '../../outreach/send-notices.ts';
import { countedTerms } from './codes.ts';
import { groupStory, storyNames } from './story.ts';
import type { Past, Year } from './year.ts';

/** From this part of the history on, rates differ between creators. By then, all creators of the group have joined. */
const changedAfter = 0.6;

/** From this part on, an announced version with a worse condition is known, and starts after the notice. */
const announcedAfter = 0.75;
const acceptedAfterDays = 2;

const forAll = (basisPoints: number) => ({ productId: null, basisPoints, flatCents: null });
const forNewCustomers = (basisPoints: number) => ({ ...forAll(basisPoints), conditions: { newCustomers: true } });
const forLargeOrders = (minOrderCents: number) => ({ ...forAll(1_200), conditions: { minOrderCents } });
const orderRate = (basisPoints: number) => ({ orderRules: [forAll(basisPoints)], subscriptionRules: [] });

/** Approved commissions of a calendar month. */
const tiers = [
  { threshold: 5, ...orderRate(1_200) },
  { threshold: 15, ...orderRate(1_400) },
] as const;
const budget = { program_month_cents: 400_000, creator_month_cents: 150_000 };
const goals = [
  { orders: 1, period: 'total', amount_cents: 1_000 },
  { orders: 12, period: 'month', amount_cents: 2_500 },
] as const;
const largeOrderCents = { before: 6_000, after: 7_500 } as const;
const noticeDays = 7;
const protectClickDays = 14;

type Span = { readonly days: number; readonly begin: Date };

/**
 * The merchant names a group, gives it and one creator rates of their own, adds tiers for all others, bonuses for goals, and a promise of
 * notice, and limits what a month may cost. Later, a worse condition is announced, and one creator accepts it before it starts.
 */
export function planRates(year: Year, past: Past, { days, begin }: Span): void {
  const afternoon = (part: number, later = 0) =>
    new Date(startOfDay(plusDays(begin, Math.ceil(days * part) + later)).getTime() + 14 * hourMs);
  const [changedAt, announcedAt, acceptedAt] = [
    afternoon(changedAfter),
    afternoon(announcedAfter),
    afternoon(announcedAfter, acceptedAfterDays),
  ];
  const run = async () => {
    const draft = await changeRates(year, changedAt);
    year.agenda.push({ at: announcedAt, sendsEmails: true, run: () => announceChange(year, past, { draft, at: announcedAt }) });
    year.agenda.push({ at: acceptedAt, run: () => acceptChange(year, acceptedAt) });
  };
  year.agenda.push({ at: changedAt, run });
}

async function changeRates(year: Year, at: Date): Promise<TermsDraft> {
  const { database, storeId, programId, audit } = year;
  const path = pathOf(year);
  const groupId = newId<'grp'>(at);
  const of = { storeId, programId };
  await database.transaction((tx) => insertGroup(tx, { ...of, groupId, name: groupStory.name, createdAt: at }));
  await audit(at, 'group.create', `${path}/groups/${publicId('grp', groupId)}`, { name: groupStory.name });
  for (const name of groupStory.members) {
    const { memberId } = await memberOf(year, name);
    made(await database.transaction((tx) => moveMember(tx, { ...of, memberId, groupId: publicId('grp', groupId), at })));
    await audit(at, 'member.group', `${path}/members/${publicId('mem', memberId)}/group`, { group_id: publicId('grp', groupId) });
  }
  const negotiated = await memberOf(year, groupStory.negotiated);
  const { groupBasisPoints, groupNewBasisPoints, negotiatedBasisPoints } = groupStory;
  const ofGroup = { orderRules: [forNewCustomers(groupNewBasisPoints), forAll(groupBasisPoints)], subscriptionRules: [] };
  const draft: TermsDraft = {
    ...countedTerms,
    orderRules: [forLargeOrders(largeOrderCents.before), ...(countedTerms.orderRules ?? [])],
    effectiveFrom: undefined,
    ownRates: [
      { groupId: publicId('grp', groupId), memberId: null, ...ofGroup },
      { groupId: null, memberId: publicId('mem', negotiated.memberId), ...orderRate(negotiatedBasisPoints) },
    ],
    tiers: { measure: 'approved_commissions', period: 'month', timeZone: 'America/New_York', tiers },
    budget,
    goals,
    noticeDays,
  };
  await addVersion(year, draft, at);
  await audit(at, 'terms.add', `${path}/terms`, { tiers: tiers.length, own_rates: 2, budget, goals, notice_days: noticeDays });
  return draft;
}

type Announced = { readonly draft: TermsDraft; readonly at: Date };

/** The members are informed immediately, and not when the service's own queue comes to it. */
async function announceChange(year: Year, { platform }: Past, { draft, at }: Announced): Promise<void> {
  const orderRules = [forLargeOrders(largeOrderCents.after), ...(countedTerms.orderRules ?? [])];
  const { version } = await addVersion(year, { ...draft, orderRules, protectClickDays }, at);
  await sendNotices(platform, { store: year.store.id, program: publicId('prog', year.programId), version });
  await year.audit(at, 'terms.add', `${pathOf(year)}/terms`, { version, protect_click_days: protectClickDays });
}

async function acceptChange(year: Year, at: Date): Promise<void> {
  const { database, programId, storeId, firstCreatorActor: by } = year;
  const member = await memberOf(year, storyNames.creator);
  await database.transaction(async (tx) => {
    const next = acceptableVersion(await termsOfProgram(tx, { storeId, programId }), at);
    invariant(next, 'the announced version has not started');
    const refusal = await acceptVersion(tx, member, { version: next.version, by, at });
    invariant(refusal === null, 'a member may accept an announced version');
  });
}

async function addVersion({ database, storeId, programId }: Year, draft: TermsDraft, at: Date): Promise<Terms> {
  const of = { storeId, programId };
  return database.transaction(async (tx) =>
    made(await addTerms(tx, of, draft, { subjects: await findRateSubjects(tx, of, draft), findGroups: findGroupsOfNamed, at })),
  );
}

const pathOf = ({ programId }: Year): string => `/programs/${publicId('prog', programId)}`;

export async function memberOf({ database, storeId, programId, links }: Year, name: string): Promise<Member> {
  const link = links.find(({ creator }) => creator.name === name);
  invariant(link, 'the creator has joined');
  const member = await findMembership(database, { storeId, programId, creatorId: link.creatorId });
  invariant(member, 'a creator with a link is a member');
  return member;
}

function made<Made>(result: Made | Refusal): Made {
  invariant(!isRefusal(result), 'the history asks only for what is allowed');
  return result;
}
