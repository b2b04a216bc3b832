import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { groupsOfMembers } from '../creators/group-moves-sql.ts';
import { findOwnMembership, listStoresOfCreator, lockOwnMembership, type Member } from '../creators/members-sql.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { acceptableVersion, decideAcceptance } from '../merchants/decide-acceptance.ts';
import { decideChangesFor, isWorse, type RatedCreator } from '../merchants/decide-notice.ts';
import { changedFields } from '../merchants/decide-terms-changes.ts';
import { findProgram, lockProgram } from '../merchants/programs-sql.ts';
import { acceptancesOfCreators, acceptancesOfProgram, insertAcceptance } from '../merchants/terms-acceptances-sql.ts';
import { showTerms, termsJson } from '../merchants/program-terms.ts';
import { leadRuleJson } from '../merchants/terms-json.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { termsInForce, type Terms } from '../merchants/terms.ts';
import { endpoint } from '../people/endpoint.ts';
import { ratesJson, showRatesOf } from './own-rates-api.ts';

const termsOfCreatorJson = T.Object({
  pays: T.Enum(['order', 'product']),
  rates: T.Array(ratesJson),
  leads: T.Array(leadRuleJson),
  ...T.Pick(termsJson, [
    'attribution_days',
    'hold_days',
    'approval',
    'auto_approve_days',
    'codes',
    'returning',
    'tiers',
    'goals',
    'notice_days',
  ]).properties,
});

const announcedJson = namedObject('AnnouncedTerms', {
  version: T.Integer(),
  effective_from: T.String({ description: 'For creators who do not accept it before' }),
  accepted_at: orNull(T.String({ description: 'It applies to your orders since then' })),
  protect_click_days: orNull(
    T.Integer({ description: 'For so many days after the start, orders whose click came before it keep the present version' }),
  ),
  is_worse: T.Boolean({ description: 'Whether anything is worse for this creator, also if other changes are better' }),
  changed: T.Array(T.Enum(changedFields, { title: 'TermsField' }), { description: 'What changes for this creator' }),
  now: termsOfCreatorJson,
  next: termsOfCreatorJson,
});

const replyJson = T.Object({ announced: orNull(announcedJson) });

function showFor(terms: Terms, { memberId, groupId }: RatedCreator): Static<typeof termsOfCreatorJson> {
  const facts = { memberId, group: groupId === null ? null : { groupId, name: '' } };
  const shown = showTerms(terms);
  const { tiers, goals, notice_days: noticeDays } = shown;
  return {
    pays: shown.pays,
    rates: showRatesOf({ ...terms, facts }),
    leads: shown.leads,
    attribution_days: shown.attribution_days,
    hold_days: shown.hold_days,
    approval: shown.approval,
    auto_approve_days: shown.auto_approve_days,
    codes: shown.codes,
    returning: shown.returning,
    ...(tiers && { tiers }),
    ...(goals && { goals }),
    ...(noticeDays !== undefined && { notice_days: noticeDays }),
  };
}

async function showAnnounced(db: Queryable, member: Member, now: Date): Promise<Static<typeof replyJson>> {
  const versions = await termsOfProgram(db, member);
  const [inForce, next] = [termsInForce(versions, now), acceptableVersion(versions, now)];
  if (inForce === null || next === null) return { announced: null };
  const groupId = (await groupsOfMembers(db, [member])).get(member.memberId)?.groupId ?? null;
  const creator = { memberId: member.memberId, groupId };
  const changes = decideChangesFor(inForce, next, creator);
  const accepted = (await acceptancesOfCreators(db, [member])).find(({ version }) => version === next.version);
  return {
    announced: {
      version: next.version,
      effective_from: isoTime(next.effectiveFrom),
      accepted_at: isoTimeOrNull(accepted?.acceptedAt ?? null),
      protect_click_days: next.protectClickDays ?? null,
      is_worse: isWorse(changes),
      changed: [...new Set(changes.map(({ field }) => field))],
      now: showFor(inForce, creator),
      next: showFor(next, creator),
    },
  };
}

export const getNextTermsEndpoint = endpoint({
  summary: 'Get the announced terms of a program that have not started, compared with the present ones for this creator',
  access: { allow: 'creator', permission: 'creator:read' },
  ids: { member: 'mem' },
  reply: replyJson,
  async handle({ db, ids, now }) {
    const storeIds = await listStoresOfCreator(db, ids.creator);
    const member = await findOwnMembership(db, { creatorId: ids.creator, storeIds, memberId: ids.member });
    return member === null ? notFound : showAnnounced(db, member, now);
  },
});

type Accepting = { readonly version: number; readonly by: string; readonly at: Date };

/** Locks the program, so that a cancellation comes either before or after it. */
export async function acceptVersion(db: Queryable, member: Member, { version, by, at }: Accepting): Promise<Refusal | null> {
  const { storeId, programId, creatorId } = member;
  const program = await lockProgram(db, member);
  invariant(program !== null, 'programs are never deleted');
  const earlier = (await acceptancesOfCreators(db, [member])).find((one) => one.version === version);
  const decision = decideAcceptance(await termsOfProgram(db, member), version, {
    now: at,
    isMember: joinedStatuses.some((status) => status === member.status),
    acceptedAt: earlier?.acceptedAt ?? null,
  });
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (decision.do === 'accept') await insertAcceptance(db, { storeId, programId, creatorId, version, acceptedAt: at, acceptedBy: by });
  return null;
}

export const acceptTermsEndpoint = endpoint({
  summary: 'Accept announced terms before they start: they apply to your orders from then on',
  access: { allow: 'creator', permission: 'creator:write' },
  ids: { member: 'mem' },
  body: T.Object({ version: T.Integer({ minimum: 1, maximum: 1_000_000 }) }, { additionalProperties: false }),
  reply: replyJson,
  audit: 'terms.accept',
  async handle({ db, ids, body, identity, now }) {
    const storeIds = await listStoresOfCreator(db, ids.creator);
    const member = await lockOwnMembership(db, { creatorId: ids.creator, storeIds, memberId: ids.member });
    if (member === null) return notFound;
    const refusal = await acceptVersion(db, member, { version: body.version, by: identity.actor, at: now });
    return refusal ?? showAnnounced(db, member, now);
  },
});

const acceptanceJson = namedObject('TermsAcceptance', {
  version: T.Integer(),
  creator_id: T.String(),
  creator_name: T.String(),
  accepted_at: T.String(),
});

export const listAcceptancesEndpoint = endpoint({
  summary: "List the creators who accepted announced versions of a program's terms before their start",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  reply: T.Object({ acceptances: T.Array(acceptanceJson) }),
  async handle({ db, ids }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await findProgram(db, of)) === null) return notFound;
    const acceptances = await acceptancesOfProgram(db, of);
    const names = await creatorNames(
      db,
      acceptances.map(({ creatorId }) => creatorId),
    );
    return {
      acceptances: acceptances.map(({ version, creatorId, acceptedAt }) => ({
        version,
        creator_id: publicId('crt', creatorId),
        creator_name: names.get(creatorId) ?? '',
        accepted_at: isoTime(acceptedAt),
      })),
    };
  },
});
