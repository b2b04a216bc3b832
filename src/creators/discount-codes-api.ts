import { apiMessage } from '../messages/api-message.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Queryable } from '../db/database.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull, searchField, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { creatorNames } from './creators-sql.ts';
import { listLinkTotals, type LinkTotals } from './creator-links-sql.ts';
import { codeStatuses, codeStatusOf, type CodeChange } from './decide-code-change.ts';
import { codeSorts, findDiscountCode, listCodesOfCreator, listDiscountCodes, type CodeFilter } from './discount-codes-sql.ts';
import type { DiscountCode } from './discount-code.ts';
import { changeDiscountCode, createDiscountCode } from './discount-codes.ts';
import { listStoresOfCreator } from './members-sql.ts';

const timeLengthMax = 40;
const ordersPerCustomerMax = 10_000;
/** One line without spaces at its ends, because shoppers type it. */
const codePattern = String.raw`^[^\s\p{Cc}\p{Cs}](?:[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]{0,62}[^\s\p{Cc}\p{Cs}])?$`;

const status = T.Enum([...codeStatuses], { title: 'DiscountCodeStatus' });
const shared = T.Boolean({ description: 'A shared code is known, but never earns' });
const results = {
  orders: T.Integer({ description: 'The orders that the code earned, with later orders of customers that it brought' }),
  revenue_cents: centsField('The eligible amount of these orders'),
  earned_cents: centsField('Commissions of these orders, minus refunds'),
};
const shownFields = {
  id: T.String(),
  code: T.String({ description: 'Compared without case' }),
  program_id: T.String(),
  status,
  shared,
  valid_from: T.String(),
  valid_until: orNull(T.String()),
  orders_per_customer: orNull(T.Integer({ description: 'How many orders of one customer earn; null for no limit' })),
  created_at: T.String(),
  ...results,
};
const codeJson = namedObject('DiscountCode', {
  ...shownFields,
  program_name: T.String(),
  member_id: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  paused_at: orNull(T.String()),
  ended_at: orNull(T.String()),
});

type DiscountCodeJson = Static<typeof codeJson>;

type Results = Pick<LinkTotals, 'orders' | 'revenueCents' | 'earnedCents'>;

const showFields = (code: DiscountCode, { orders, revenueCents, earnedCents }: Results) => ({
  id: publicId('code', code.codeId),
  code: code.code,
  program_id: publicId('prog', code.programId),
  status: codeStatusOf(code),
  shared: code.isShared,
  valid_from: isoTime(code.validFrom),
  valid_until: isoTimeOrNull(code.validUntil),
  orders_per_customer: code.ordersPerCustomer,
  created_at: isoTime(code.createdAt),
  orders: Number(orders),
  revenue_cents: revenueCents,
  earned_cents: earnedCents,
});

/** Loads the names and results of a page in one query each. */
async function loadCodeRenderer(db: Queryable, codes: readonly DiscountCode[]): Promise<(code: DiscountCode) => DiscountCodeJson> {
  const names = await creatorNames(
    db,
    codes.map(({ creatorId }) => creatorId),
  );
  const programs = await programsByName(db, codes);
  const totals = await listLinkTotals(db, codes);
  return (code) => {
    const [creatorName, program] = [names.get(code.creatorId), programs.get(code.programId)];
    invariant(creatorName !== undefined && program !== undefined, 'creators and programs are never deleted');
    return {
      ...showFields(code, totals(code)),
      program_name: program.name,
      member_id: publicId('mem', code.memberId),
      creator_id: publicId('crt', code.creatorId),
      creator_name: creatorName,
      paused_at: isoTimeOrNull(code.pausedAt),
      ended_at: isoTimeOrNull(code.endedAt),
    };
  };
}

const rendered = async (db: Queryable, code: DiscountCode | Refusal) =>
  isRefusal(code) ? code : (await loadCodeRenderer(db, [code]))(code);

const time = T.String({ maxLength: timeLengthMax });
const settings = {
  shared: T.Optional(shared),
  valid_from: T.Optional(time),
  valid_until: T.Optional(orNull(time)),
  orders_per_customer: T.Optional(orNull(T.Integer({ minimum: 1, maximum: ordersPerCustomerMax }))),
};
const settingsBody = T.Object(settings);

type Times = { readonly validFrom: Date | undefined; readonly validUntil: Date | null | undefined };

function readTimes({ valid_from: from, valid_until: until }: Static<typeof settingsBody>): Times | Refusal {
  const validFrom = from === undefined ? undefined : readTimestamp(from);
  const validUntil = typeof until === 'string' ? readTimestamp(until) : until;
  if (validFrom === 'unreadable' || isImplausible(validFrom)) return invalidTime('valid_from');
  if (validUntil === 'unreadable' || isImplausible(validUntil)) return invalidTime('valid_until');
  return { validFrom, validUntil };
}

/** No code is older. An offset can make a five-digit year of 9999, whose text PostgreSQL cannot read. */
const [earliest, latest] = [new Date('2000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];
const isImplausible = (validity: Date | null | undefined): boolean =>
  validity instanceof Date && (validity < earliest || validity > latest);

const invalidTime = (field: string): Refusal =>
  refuse('unprocessable', apiMessage('discount_code.invalid'), [{ field, message: apiMessage('shared.time') }]);

export const createCodeEndpoint = endpoint({
  summary: 'Create a discount code for a member of a program; it earns if the terms of the program count codes',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: T.Object(
    {
      creator_id: idField(),
      code: T.String({ minLength: 1, maxLength: 64, pattern: codePattern }),
      ...settings,
    },
    { additionalProperties: false },
  ),
  reply: codeJson,
  status: 201,
  audit: 'code.create',
  async handle({ db, ids, body, now }) {
    const times = readTimes(body);
    if (isRefusal(times)) return times;
    const code = await createDiscountCode(db, {
      storeId: ids.store,
      programId: ids.program,
      creatorId: readPublicId('crt', body.creator_id),
      code: body.code,
      isShared: body.shared ?? false,
      validFrom: times.validFrom ?? null,
      validUntil: times.validUntil ?? null,
      ordersPerCustomer: body.orders_per_customer ?? null,
      at: now,
    });
    return rendered(db, code);
  },
});

const filterFields = {
  program_id: T.Optional(idField()),
  creator_id: T.Optional(idField()),
  status: T.Optional(status),
  q: searchField("A part of the code or of the owner's name, ignoring case"),
};

/** Named as in JSON. Add new columns at the end, because spreadsheets refer to columns by position. */
const csvColumns: ReadonlyArray<CsvColumn<DiscountCodeJson>> = [
  ...fieldColumns('id', 'code', 'creator_id', 'creator_name', 'program_id', 'program_name', 'status'),
  { title: 'shared', cell: ({ shared: isShared }) => String(isShared) },
  { title: 'valid_from', cell: ({ valid_from: from }) => from },
  { title: 'valid_until', cell: ({ valid_until: until }) => until ?? '' },
  { title: 'orders_per_customer', cell: ({ orders_per_customer: most }) => most ?? '' },
  ...fieldColumns('created_at', 'orders', 'revenue_cents', 'earned_cents'),
];

export const listCodesEndpoint = sortedListEndpoint({
  summary: "List a store's discount codes with their results, newest first; as a file with Accept: text/csv",
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...filterFields, ...sortField(codeSorts) }, { additionalProperties: false }),
  item: codeJson,
  readFilter: ({ query }) => readFilter(query),
  rows: async ({ db, ids, filter }, page) => (filter === null ? [] : listDiscountCodes(db, ids.store, filter, page)),
  renderer: ({ db }, codes) => loadCodeRenderer(db, codes),
  sorts: codeSorts,
  csv: { name: 'discount-codes.csv', columns: csvColumns },
});

type CodesQuery = { readonly [Name in keyof typeof filterFields]?: Static<(typeof filterFields)[Name]> };

/** Null if a given ID is not valid, so that nothing matches. */
function readFilter({ program_id: program, creator_id: creator, status: of, q }: CodesQuery): CodeFilter | null {
  const programId = program === undefined ? null : readPublicId('prog', program);
  const creatorId = creator === undefined ? null : readPublicId('crt', creator);
  if ((program !== undefined && programId === null) || (creator !== undefined && creatorId === null)) return null;
  return { programId, creatorId, status: of ?? null, search: q ?? null };
}

export const getCodeEndpoint = endpoint({
  summary: 'Get a discount code with its results',
  access: { allow: 'store', permission: 'store:read' },
  ids: { code: 'code' },
  reply: codeJson,
  handle: async ({ db, ids }) => rendered(db, (await findDiscountCode(db, { storeId: ids.store, codeId: ids.code })) ?? notFound),
});

export const changeCodeEndpoint = endpoint({
  summary: 'Change, pause, or end a discount code; orders from before the end still count, and an ended code stays ended',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { code: 'code' },
  body: T.Object({ ...settings, status: T.Optional(status) }, { additionalProperties: false }),
  reply: codeJson,
  audit: 'code.change',
  async handle({ db, ids, body, now }) {
    const times = readTimes(body);
    if (isRefusal(times)) return times;
    const change: CodeChange = { ...times, isShared: body.shared, ordersPerCustomer: body.orders_per_customer, status: body.status };
    return rendered(db, await changeDiscountCode(db, { storeId: ids.store, codeId: ids.code }, change, now));
  },
});

const ownCodeJson = namedObject('OwnDiscountCode', {
  ...shownFields,
  program_name: T.String(),
  store_id: T.String(),
  store_name: T.String(),
});

/** A creator sees the codes that belong to them, in all stores. */
export const listOwnCodesEndpoint = sortedListEndpoint({
  summary: "List a creator's discount codes in all programs with their results, newest first",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object({ ...pageFields, ...sortField(codeSorts) }, { additionalProperties: false }),
  item: ownCodeJson,
  readFilter: () => null,
  async rows({ db, ids: { creator: creatorId } }, page) {
    return listCodesOfCreator(db, { creatorId, storeIds: await listStoresOfCreator(db, creatorId) }, page);
  },
  async renderer({ db }, codes) {
    const programs = await programsByName(db, codes);
    const stores = await storesById(
      db,
      codes.map(({ storeId }): Id<'store'> => storeId),
    );
    const totals = await listLinkTotals(db, codes);
    return (code) => {
      const [store, program] = [stores.get(code.storeId), programs.get(code.programId)];
      invariant(store !== undefined && program !== undefined, 'stores and programs are never deleted');
      const names = { program_name: program.name, store_id: publicId('store', code.storeId), store_name: store.name };
      return { ...showFields(code, totals(code)), ...names };
    };
  },
  sorts: codeSorts,
});
