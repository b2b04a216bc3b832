import { Type as T, type TSchema } from 'typebox';
import type { Static } from '../core/static.ts';
import { keyOf, keyShapes, orderOf, sortNames, type ListOrder, type ListSorts } from '../db/list-order.ts';
import { isRefusal, refuse, type Refusal } from './responses.ts';
import { isStorableText } from './storable.ts';
import { apiMessage } from '../messages/api-message.ts';

/**
 * Lists use keyset pagination: a page begins after the last row of the previous one. A deep page costs as much as the first one, and new
 * rows do not shift the pages.
 */
export type Page = { readonly after: readonly string[] | null; readonly limit: number };

const pageSizeMax = 200;
const pageSizeDefault = 50;
const cursorLengthMax = 1_000;

export const pageFields = {
  cursor: T.Optional(T.String({ maxLength: cursorLengthMax, description: 'The next_cursor of the previous page' })),
  limit: T.Optional(T.Integer({ minimum: 1, maximum: pageSizeMax, description: `The number of rows; ${pageSizeDefault} by default` })),
};
export const pageQuery = T.Object(pageFields, { additionalProperties: false });
export type PageQuery = Static<typeof pageQuery>;

/** For a list that is always complete: it has the form of every list, but never a second page. */
export const lastPage = T.Null({ description: 'Always null, because the list is complete' });

export const pageOf = <Item extends TSchema>(item: Item) => T.Object({ data: T.Array(item), next_cursor: T.Union([T.String(), T.Null()]) });

export const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Milliseconds since 1970, up to the year 5138, which both PostgreSQL and JavaScript accept. */
export const timeShape = /^\d{1,14}$/;
export const wholeNumberShape = /^\d{1,9}$/;

/** A cursor is untrusted input: each part must match the pattern that the list expects. */
export function readPage({ cursor, limit = pageSizeDefault }: PageQuery, shapes: readonly RegExp[]): Page | Refusal {
  if (cursor === undefined) return { after: null, limit };
  const position = parseCursor(cursor);
  if (position !== null && position.length === shapes.length && position.every((part, place) => shapes[place]?.test(part)))
    return { after: position, limit };
  return refuseCursor('is not a cursor of this list');
}

const refuseCursor = (message: string): Refusal =>
  refuse('invalid_request', apiMessage('shared.query_invalid'), [{ field: 'cursor', message }]);

export type SortedPage<Row> = Page & { readonly order: ListOrder<Row> };

/** The parameter that sorts a list, named as the JSON fields of its rows. */
export const sortField = <Row>(sorts: ListSorts<Row>) => ({
  sort: T.Optional(
    T.Enum(sortNames(sorts), {
      description: `The field to sort by, prefixed with a minus for descending order; ${sorts.defaultSort} by default`,
    }),
  ),
});

/**
 * A cursor begins with the sort that it was made for, so that it is rejected for another one. In the default order the name is left
 * out: cursors from before lists could be sorted remain valid.
 */
export function readSortedPage<Row>(query: PageQuery & SortQuery, sorts: ListSorts<Row>): SortedPage<Row> | Refusal {
  const order = orderOf(sorts, query.sort);
  const { cursor, limit = pageSizeDefault } = query;
  if (cursor === undefined) return { after: null, limit, order };
  const position = parseCursor(cursor);
  const first = position?.[0] ?? '';
  const isNamed = sortNames(sorts).includes(first);
  if (position !== null && (isNamed ? first : sorts.defaultSort) !== order.sort)
    return refuseCursor('belongs to another sort; send the sort of the previous page');
  const page = readPage({ cursor: position === null ? cursor : cursorOf(isNamed ? position.slice(1) : position), limit }, keyShapes(order));
  return isRefusal(page) ? page : { ...page, order };
}

export type SortQuery = { readonly sort?: string };

export const sortedPosition = <Row>(sorts: ListSorts<Row>, order: ListOrder<Row>, row: Row): readonly string[] =>
  order.sort === sorts.defaultSort ? keyOf(order, row) : [order.sort, ...keyOf(order, row)];

/** `rows` has one row more than the limit if there is another page. */
export function pageReply<Row, Item>(
  rows: readonly Row[],
  { limit }: Page,
  show: (row: Row) => Item,
  positionOf: (row: Row) => readonly string[],
) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    data: rows.slice(0, limit).map(show),
    next_cursor: last === undefined ? null : cursorOf(positionOf(last)),
  };
}

export const cursorOf = (position: readonly string[]): string => Buffer.from(JSON.stringify(position)).toString('base64url');

function parseCursor(cursor: string): readonly string[] | null {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(position) && position.every((part) => typeof part === 'string' && isStorableText(part)) ? position : null;
  } catch {
    return null;
  }
}
