import { publicId, type Id } from '../../src/core/ids.ts';
import { hourMs } from '../../src/core/time.ts';
import { findGroupsOfNamed, findRateSubjects } from '../../src/creators/rate-subjects-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { isRefusal } from '../../src/http/responses.ts';
import { addTerms } from '../../src/merchants/program-terms.ts';
import { awardGoalsOf } from '../../src/review/award-goals.ts';
import type { Merchant } from '../support/merchant.ts';
import type { CameGoal } from './model-goals.ts';
import type { CameTerms } from './model-notice.ts';
import { draftOf, made, type ModelStore } from './model-store.ts';
import type { Owner, TermsVariant } from './terms.ts';

type NewTerms = { readonly terms: TermsVariant; readonly inHours: number | null };

/** Returns what was requested when, and what came of it. */
export async function changeTerms({ database, service }: Merchant, store: ModelStore, { terms, inHours }: NewTerms) {
  const at = service.platform.clock.now();
  const from = inHours === null ? undefined : new Date(at.getTime() + inHours * hourMs);
  const draft = draftOf(store, terms, from);
  const result = await database.transaction(async (tx) =>
    addTerms(tx, store, draft, { subjects: await findRateSubjects(tx, store, draft), at, findGroups: findGroupsOfNamed }),
  );
  return { wanted: { next: terms, requested: from?.getTime() ?? null, at: at.getTime() }, came: cameOf(result) };
}

function cameOf(result: Awaited<ReturnType<typeof addTerms>>): CameTerms {
  if (isRefusal(result) && result.reason === 'conflict') return { do: 'refused', because: 'conflict' };
  if (isRefusal(result) && result.errors?.[0]?.field === 'effective_from') return { do: 'refused', because: 'notice' };
  const { effectiveFrom, isAnnounced } = made(result);
  return { do: 'added', from: effectiveFrom.getTime(), isAnnounced: isAnnounced === true };
}

type Answered = { readonly status: number; readonly at: number };

/** Accepts the latest version. Returns the time that is stored, or that of the request. */
export async function acceptTerms(
  merchant: Merchant,
  store: ModelStore,
  { owner, version }: { owner: Owner; version: number },
): Promise<Answered> {
  const creator = publicId('crt', owner === 'ada' ? store.creatorId : store.benId);
  const path = `/creators/${creator}/memberships/${publicId('mem', store.memberIds[owner])}/accept-terms`;
  const now = merchant.service.platform.clock.now().getTime();
  const { status, json } = await merchant.api('POST', path, { version });
  return { status, at: json.announced ? Date.parse(json.announced.accepted_at) : now };
}

export async function cancelTerms(merchant: Merchant, { publicStoreId, programId }: ModelStore, version: number): Promise<Answered> {
  const path = `/stores/${publicStoreId}/programs/${publicId('prog', programId)}/terms/cancel`;
  const now = merchant.service.platform.clock.now().getTime();
  const { status, json } = await merchant.api('POST', path, { version });
  return { status, at: json.canceled_at === undefined ? now : Date.parse(json.canceled_at) };
}

/** Runs the daily job for the store. Returns its time and all bonuses of goals. */
export async function awardGoals({ database, service: { platform } }: Merchant, { storeId, programId, creatorId }: ModelStore) {
  const now = platform.clock.now();
  await awardGoalsOf(platform, { storeId, programId }, now);
  const rows = await database.all<StoredGoal>(sql`
    select b.creator_id, b.goal_key as key, b.goal_month as month, b.goal_version as version, b.goal_notified_at is not null as is_notified,
      (select array_agg(c.source_text) from commissions c
        where c.store_id = b.store_id and c.commission_id = any (b.goal_commissions)) as orders
    from bonuses b where b.store_id = ${storeId} and b.goal_key is not null`);
  const came = rows.map(({ creatorId: id, ...goal }): CameGoal => ({ ...goal, owner: id === creatorId ? 'ada' : 'ben' }));
  return { at: now.getTime(), came };
}

type StoredGoal = Omit<CameGoal, 'owner'> & { readonly creatorId: Id<'crt'> };
