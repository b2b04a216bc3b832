import { Type as T, type Static, type TSchema } from 'typebox';
import { refuse, type Refusal } from './answers.ts';
import { isStorableText } from './storable.ts';

/**
 * Lists are read by position, not by number: a page begins after the row where the last one ended, so that a deep page
 * costs what the first one does, and a row made in between moves nothing.
 */
export type Page = { readonly after: readonly string[] | null; readonly limit: number };

const pageSizeMax = 200;
const pageSizeUsual = 50;
const cursorLengthMax = 1_000;

export const pageFields = {
  cursor: T.Optional(T.String({ maxLength: cursorLengthMax, description: 'The next_cursor of the page before' })),
  limit: T.Optional(T.Integer({ minimum: 1, maximum: pageSizeMax, description: `How many rows; ${pageSizeUsual} where it is not given` })),
};
export const pageQuery = T.Object(pageFields, { additionalProperties: false });
export type PageQuery = Static<typeof pageQuery>;

/** Of a list that is always whole: it has the form of every list, and no second page. */
export const lastPage = T.Null({ description: 'Always null: the list is complete' });

export const pageOf = <Item extends TSchema>(item: Item) => T.Object({ data: T.Array(item), next_cursor: T.Union([T.String(), T.Null()]) });

export const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Milliseconds since 1970, up to the year 5138: every such time is one that PostgreSQL and JavaScript both read. */
export const timeShape = /^\d{1,14}$/;
export const wholeNumberShape = /^\d{1,9}$/;

/** A cursor is read like everything from outside: each part of the position has the shape that its list wants. */
export function readPage({ cursor, limit = pageSizeUsual }: PageQuery, shapes: readonly RegExp[]): Page | Refusal {
  if (cursor === undefined) return { after: null, limit };
  const position = positionIn(cursor);
  if (position !== null && position.length === shapes.length && position.every((part, place) => shapes[place]?.test(part)))
    return { after: position, limit };
  return refuse('invalid_request', 'The query is not right; see errors.', [{ field: 'cursor', message: 'is none that this list gave' }]);
}

/** The reply: of one row more than asked for, which says that there is another page. */
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

function positionIn(cursor: string): readonly string[] | null {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(position) && position.every((part) => typeof part === 'string' && isStorableText(part)) ? position : null;
  } catch {
    return null;
  }
}
