import type { Queryable } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { containsText } from '../db/like-pattern.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, prepared, sql, texts, uuids, type Sql } from '../db/sql.ts';
import type { SortedPage } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { CodeStatus } from './decide-code-change.ts';
import { findCreatorsNamed } from './search-creators-sql.ts';
import { codeKeyOf, type CodeOfOrder, type DiscountCode } from './discount-code.ts';

const columns = sql`
  store_id, code_id, code, program_id, member_id, creator_id, link_number, is_shared, valid_from, valid_until, orders_per_customer,
  paused_at, ended_at, created_at`;

/** Null if the store has the code, in any spelling. */
export const insertDiscountCode = (db: Queryable, code: Omit<DiscountCode, 'pausedAt' | 'endedAt'>): Promise<DiscountCode | null> =>
  db.find(sql`
    insert into discount_codes (store_id, code_id, code, code_key, program_id, member_id, creator_id, link_number, is_shared, valid_from,
      valid_until, orders_per_customer, created_at)
    values (${code.storeId}, ${code.codeId}, ${code.code}, ${codeKeyOf(code.code)}, ${code.programId}, ${code.memberId},
      ${code.creatorId}, ${code.linkNumber}, ${code.isShared}, ${code.validFrom}, ${code.validUntil}, ${code.ordersPerCustomer},
      ${code.createdAt})
    on conflict (store_id, code_key) do nothing returning ${columns}`);

/** By the unique key of the store. */
export async function isCodeTaken(db: Queryable, { storeId, code }: Pick<DiscountCode, 'storeId' | 'code'>): Promise<boolean> {
  const found = await db.find(sql`select 1 as one from discount_codes where store_id = ${storeId} and code_key = ${codeKeyOf(code)}`);
  return found !== null;
}

type CodeName = Pick<DiscountCode, 'storeId' | 'codeId'>;

export const findDiscountCode = (db: Queryable, { storeId, codeId }: CodeName): Promise<DiscountCode | null> =>
  db.find(sql`select ${columns} from discount_codes where store_id = ${storeId} and code_id = ${codeId}`);

/** Serializes changes of one code. */
export const lockDiscountCode = (db: Queryable, { storeId, codeId }: CodeName): Promise<DiscountCode | null> =>
  db.find(sql`select ${columns} from discount_codes where store_id = ${storeId} and code_id = ${codeId} for no key update`);

export const updateDiscountCode = (db: Queryable, code: DiscountCode): Promise<DiscountCode> =>
  db.one(sql`
    update discount_codes
    set is_shared = ${code.isShared}, valid_from = ${code.validFrom}, valid_until = ${code.validUntil},
      orders_per_customer = ${code.ordersPerCustomer}, paused_at = ${code.pausedAt}, ended_at = ${code.endedAt}
    where store_id = ${code.storeId} and code_id = ${code.codeId} returning ${columns}`);

const codeIdColumn: SortColumn<DiscountCode> = { expression: sql`code_id`, type: 'uuid', value: ({ codeId }) => codeId };

/** By the primary key, whose IDs grow with time. Other sorts read all codes of the store, at most thousands. */
export const codeSorts: ListSorts<DiscountCode> = {
  columns: {
    created_at: codeIdColumn,
    code: { expression: sql`lower(code)`, type: 'text', value: ({ code }) => code },
    valid_until: { expression: sql`valid_until`, type: 'time', value: ({ validUntil }) => validUntil, isNullable: true },
  },
  unique: codeIdColumn,
  defaultSort: '-created_at',
};

export type CodeFilter = {
  readonly programId: Id<'prog'> | null;
  readonly creatorId: Id<'crt'> | null;
  readonly status: CodeStatus | null;
  /** A part of the code or of the owner's name, ignoring case. */
  readonly search: string | null;
};

/** More owners with a text in their name are not searched for. */
const namedMax = 10_000;

const statusConditions = {
  active: sql`and paused_at is null and ended_at is null`,
  paused: sql`and paused_at is not null and ended_at is null`,
  ended: sql`and ended_at is not null`,
} as const satisfies Readonly<Record<CodeStatus, Sql>>;

/** By primary key, or by the indexes discount_codes_of_program and discount_codes_of_creator. */
export async function listDiscountCodes(
  db: Queryable,
  storeId: Id<'store'>,
  { programId, creatorId, status, search }: CodeFilter,
  { after, limit, order }: SortedPage<DiscountCode>,
): Promise<DiscountCode[]> {
  const owners = search === null ? [] : await findCreatorsNamed(db, { storeId, text: search, most: namedMax });
  return db.all(sql`
    select ${columns} from discount_codes
    where store_id = ${storeId} ${programId === null ? emptySql : sql`and program_id = ${programId}`}
      ${creatorId === null ? emptySql : sql`and creator_id = ${creatorId}`}
      ${status === null ? emptySql : statusConditions[status]}
      ${search === null ? emptySql : sql`and (${containsText(sql`code`, search)} or creator_id = any(${uuids(owners)}))`}
      ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
}

/** By the index discount_codes_of_creator of each store. Merchants create the codes, so that a creator has few. */
export const listCodesOfCreator = (
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
  { after, limit, order }: SortedPage<DiscountCode>,
): Promise<DiscountCode[]> =>
  db.all(sql`
    select ${columns} from discount_codes
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

export type CodeKey = { readonly storeId: Id<'store'>; readonly codeKey: string };

/** The codes of a batch of orders, by the unique key of each store. */
export const codesOfOrders = (db: Queryable, keys: readonly CodeKey[]): Promise<CodeOfOrder[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<CodeOfOrder>(prepared`
      select c.store_id, c.code_id, c.code, c.code_key, c.program_id, c.creator_id, c.link_number, c.is_shared, c.valid_from,
        c.valid_until, c.orders_per_customer, c.paused_at, c.ended_at, m.status as member_status, m.since as member_since,
        p.status as program_status, s.past_due_at
      from discount_codes c
      join members m on m.store_id = c.store_id and m.member_id = c.member_id
      join programs p on p.store_id = c.store_id and p.program_id = c.program_id
      join stores s on s.store_id = c.store_id
      where c.store_id = ${storeId} and c.code_key = any(${texts([...new Set(ofStore.map(({ codeKey }) => codeKey))])})`),
  );
