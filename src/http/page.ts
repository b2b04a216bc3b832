import { Type as T, type Static, type TSchema } from 'typebox';
import { refuse, type Refusal } from './responses.ts';
import { isStorableText } from './storable.ts';

/**
 * Lists use keyset pagination: a page begins after the last row of the previous one. A deep page costs as much as the first one, and new
 * rows do not shift the pages.
 */
export type Page = { readonly after: readonly string[] | null; readonly limit: number };

const pageSizeMax = 200;
const pageSizeDefault = 50;
const cursorLengthMax = 1_000;

export const pageFields = {
  cursor: T.Optional(T.String({ maxLength: cursorLengthMax, description: 'The next_cursor of the page before' })),
  limit: T.Optional(
    T.Integer({ minimum: 1, maximum: pageSizeMax, description: `How many rows; ${pageSizeDefault} where it is not given` }),
  ),
};
export const pageQuery = T.Object(pageFields, { additionalProperties: false });
export type PageQuery = Static<typeof pageQuery>;

/** For a list that is always complete: it has the form of every list, but never a second page. */
export const lastPage = T.Null({ description: 'Always null: the list is complete' });

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
  return refuse('invalid_request', 'The query is not right; see errors.', [{ field: 'cursor', message: 'is none that this list gave' }]);
}

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
