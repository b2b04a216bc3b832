import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { cents } from '../core/money.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { isTransaction, type Queryable } from '../db/database.ts';
import { centsField, externalIdField, isoTime, lineField, namedObject, orNull, idField } from '../http/fields.ts';
import { pageFields } from '../http/page.ts';
import { isRefusal, notFound, type Refusal } from '../http/responses.ts';
import { goalOfKey, goalPeriods } from '../merchants/goals.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { addBonus } from './add-bonus.ts';
import { findBonus, listBonuses, type Bonus } from './bonuses-sql.ts';

const reasonLengthMax = 500;

const bonusJson = namedObject('Bonus', {
  id: T.String(),
  commission_id: T.String({ description: 'The commission, which is reviewed, invoiced, and paid like any other' }),
  program_id: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  amount_cents: centsField(),
  reason: T.String(),
  order_id: orNull(T.String({ description: 'Your ID of the order that the bonus is about' })),
  goal: T.Optional(
    T.Object(
      {
        orders: T.Integer(),
        period: T.Enum(goalPeriods),
        month: orNull(T.String({ description: 'Of the approvals (UTC), such as 2026-11; null for a goal in all' })),
        terms_version: T.Integer({ description: 'The version of the terms with the goal' }),
        commission_ids: T.Array(T.String(), { description: 'The orders that were counted' }),
      },
      { description: 'Only of a bonus for a goal of the terms' },
    ),
  ),
  added_by_name: T.String(),
  added_at: T.String(),
});

async function loadBonusRenderer(db: Queryable, bonuses: readonly Bonus[]): Promise<(bonus: Bonus) => Static<typeof bonusJson>> {
  const names = await creatorNames(
    db,
    bonuses.map(({ creatorId }) => creatorId),
  );
  return (bonus) => {
    const creatorName = names.get(bonus.creatorId);
    invariant(creatorName !== undefined, 'creators are never deleted');
    return {
      id: publicId('bonus', bonus.bonusId),
      commission_id: publicId('com', bonus.commissionId),
      program_id: publicId('prog', bonus.programId),
      creator_id: publicId('crt', bonus.creatorId),
      creator_name: creatorName,
      amount_cents: bonus.amountCents,
      reason: bonus.reason,
      order_id: bonus.orderId,
      ...goalOf(bonus),
      added_by_name: bonus.addedByName,
      added_at: isoTime(bonus.addedAt),
    };
  };
}

function goalOf({ goalKey, goalMonth, goalVersion, goalCommissions }: Bonus): Pick<Static<typeof bonusJson>, 'goal'> {
  if (goalKey === null || goalVersion === null || goalCommissions === null) return {};
  return {
    goal: {
      ...goalOfKey(goalKey),
      month: goalMonth || null,
      terms_version: goalVersion,
      commission_ids: goalCommissions.map((id) => publicId('com', id)),
    },
  };
}

const rendered = async (db: Queryable, bonus: Bonus | Refusal) =>
  isRefusal(bonus) ? bonus : (await loadBonusRenderer(db, [bonus]))(bonus);

export const addBonusEndpoint = endpoint({
  summary: 'Add a bonus for a member of a program: a commission without an order, which is reviewed and paid like any other',
  access: { allow: 'store', permission: 'commissions:review' },
  proof: true,
  ids: { program: 'prog' },
  body: T.Object(
    {
      creator_id: idField(),
      amount_cents: T.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      reason: { ...lineField(reasonLengthMax), description: 'The creator sees it' },
      order_id: T.Optional(orNull(externalIdField())),
    },
    { additionalProperties: false },
  ),
  reply: bonusJson,
  status: 201,
  audit: 'bonus.add',
  async handle({ db, ids, body, identity, now }) {
    invariant(isTransaction(db), 'a write operation runs in a transaction');
    const bonus = await addBonus(db, {
      storeId: ids.store,
      programId: ids.program,
      creatorId: readPublicId('crt', body.creator_id),
      amount: cents(body.amount_cents),
      reason: body.reason,
      orderId: body.order_id ?? null,
      by: { actor: identity.actor, name: identity.name, creatorId: identity.creator?.creatorId ?? null },
      at: now,
    });
    return rendered(db, bonus);
  },
});

export const listBonusesEndpoint = listEndpoint({
  summary: "List a store's bonuses, newest first",
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, creator_id: T.Optional(idField()) }, { additionalProperties: false }),
  item: bonusJson,
  async rows({ db, ids, query: { creator_id: requested } }, page) {
    const creatorId: Id<'crt'> | null = requested === undefined ? null : readPublicId('crt', requested);
    return requested !== undefined && creatorId === null ? [] : listBonuses(db, { storeId: ids.store, creatorId }, page);
  },
  renderer: ({ db }, bonuses) => loadBonusRenderer(db, bonuses),
  key: ({ bonusId }) => [bonusId],
});

export const getBonusEndpoint = endpoint({
  summary: 'Get a bonus',
  access: { allow: 'store', permission: 'store:read' },
  ids: { bonus: 'bonus' },
  reply: bonusJson,
  handle: async ({ db, ids }) => rendered(db, (await findBonus(db, { storeId: ids.store, bonusId: ids.bonus })) ?? notFound),
});
