import type { TSchema } from 'typebox';
import type { Static } from '../core/static.ts';
import { chooseType } from '../http/content-negotiation.ts';
import { csvDownload, readAllPages, rejectPaging, type CsvColumn } from '../http/csv.ts';
import { keyOf, orderOf, type ListSorts } from '../db/list-order.ts';
import {
  pageOf,
  pageQuery,
  pageReply,
  readPage,
  readSortedPage,
  sortedPosition,
  uuidShape,
  type Page,
  type PageQuery,
  type SortedPage,
  type SortQuery,
} from '../http/page.ts';
import { isRefusal, notFound, type Refusal } from '../http/responses.ts';
import type { Access } from './decide-access.ts';
import { withDefaults, type Endpoint, type HandlerContext } from './endpoint.ts';

type IdPrefixes = Readonly<Record<string, string>>;

type Request<Query extends TSchema, Ids extends IdPrefixes, Rule extends Access> = HandlerContext<
  unknown,
  Static<Query> & PageQuery,
  Ids,
  Rule
>;

type ListContext<Query extends TSchema, Ids extends IdPrefixes, Rule extends Access, Filter> = Request<Query, Ids, Rule> & {
  readonly filter: Filter;
};

type ListDefinition<Query extends TSchema, Item extends TSchema, Rule extends Access, Ids extends IdPrefixes, Filter, Row> = {
  readonly summary: string;
  readonly access: Rule;
  readonly ids?: Ids;
  /** The fields of the page and of the filter. */
  readonly query?: Query;
  readonly item: Item;
  /** Whether the object of the path exists; if not, the response is 404. Without it, the path has no object to look up. */
  readonly exists?: (context: ListContext<Query, Ids, Rule, Filter>) => Promise<boolean>;
  /** Reads one row more than the limit. */
  readonly rows: (context: ListContext<Query, Ids, Rule, Filter>, page: Page) => Promise<readonly Row[]>;
  /** Loads what all rows of a page need, and returns the function that renders one row. */
  readonly renderer: (
    context: ListContext<Query, Ids, Rule, Filter>,
    rows: readonly Row[],
  ) => Renderer<Row, Static<Item>> | Promise<Renderer<Row, Static<Item>>>;
  /** The values by which the list is sorted; they are the cursor. */
  readonly key: (row: Row) => readonly string[];
  /** The form of each value of the key; one UUID by default. */
  readonly keyShapes?: readonly RegExp[];
  /** The whole list as a file, if the client accepts CSV. The columns are made from the JSON of a row. */
  readonly csv?: { readonly name: string; readonly columns: ReadonlyArray<CsvColumn<Static<Item>>> };
};

type Renderer<Row, Json> = (row: Row) => Json;

/** An operation that lists rows: cursor → rows → JSON of one page, or the whole list as CSV. */
export function listEndpoint<
  Item extends TSchema,
  const Rule extends Access,
  Row,
  Query extends TSchema = typeof pageQuery,
  const Ids extends IdPrefixes = Readonly<Record<never, never>>,
>(definition: ListDefinition<Query, Item, Rule, Ids, undefined, Row>): Endpoint {
  return filteredListEndpoint({ ...definition, readFilter: () => undefined });
}

type ReadFilter<Query extends TSchema, Rule extends Access, Ids extends IdPrefixes, Filter> = {
  /** Validates the filter, before the cursor. */
  readonly readFilter: (request: Request<Query, Ids, Rule>) => Filter | Refusal;
};

/** The same with a filter that is validated before the cursor. */
export function filteredListEndpoint<
  Item extends TSchema,
  const Rule extends Access,
  Row,
  Filter,
  Query extends TSchema = typeof pageQuery,
  const Ids extends IdPrefixes = Readonly<Record<never, never>>,
>(definition: ListDefinition<Query, Item, Rule, Ids, Filter, Row> & ReadFilter<Query, Rule, Ids, Filter>): Endpoint {
  const { key, keyShapes = [uuidShape], query = pageQuery } = definition;
  return pagedEndpoint<Query, Item, Rule, Ids, Filter, Row, Page>(
    { ...definition, query },
    { first: (page) => page, read: (fields) => readPage(fields, keyShapes), keyOf: key, positionOf: key },
  );
}

type SortedDefinition<Query extends TSchema, Item extends TSchema, Rule extends Access, Ids extends IdPrefixes, Filter, Row, Sorted> = Omit<
  ListDefinition<Query, Item, Rule, Ids, Filter, Row>,
  'rows' | 'key' | 'keyShapes' | 'query'
> & {
  /** Contains `sortField(sorts)`. */
  readonly query: Query;
  readonly sorts: ListSorts<Sorted>;
  readonly rows: (context: ListContext<Query, Ids, Rule, Filter>, page: SortedPage<Sorted>) => Promise<readonly Row[]>;
};

/** The same with the parameter `sort`, which also orders the file. */
export function sortedListEndpoint<
  Item extends TSchema,
  const Rule extends Access,
  Row,
  Filter,
  Query extends TSchema,
  const Ids extends IdPrefixes = Readonly<Record<never, never>>,
>(definition: SortedDefinition<Query, Item, Rule, Ids, Filter, Row, Row> & ReadFilter<Query, Rule, Ids, Filter>): Endpoint {
  return partSortedListEndpoint<Item, Rule, Row, Row, Filter, Query, Ids>({ ...definition, sortedPart: (row) => row });
}

/** The same for rows that are sorted by a part of them: `sortedPart`. */
export function partSortedListEndpoint<
  Item extends TSchema,
  const Rule extends Access,
  Row,
  Sorted,
  Filter,
  Query extends TSchema,
  const Ids extends IdPrefixes = Readonly<Record<never, never>>,
>(
  definition: SortedDefinition<Query, Item, Rule, Ids, Filter, Row, Sorted> &
    ReadFilter<Query, Rule, Ids, Filter> & { readonly sortedPart: (row: Row) => Sorted },
): Endpoint {
  const { sorts, sortedPart } = definition;
  return pagedEndpoint<Query, Item, Rule, Ids, Filter, Row, SortedPage<Sorted>>(definition, {
    first: (page, { sort }) => ({ ...page, order: orderOf(sorts, sort) }),
    read: (fields) => readSortedPage(fields, sorts),
    keyOf: (row, { order }) => keyOf(order, sortedPart(row)),
    positionOf: (row, { order }) => sortedPosition(sorts, order, sortedPart(row)),
  });
}

/** How a list is paged: in its only order, or in the requested one. */
type Paging<Row, OnePage extends Page> = {
  readonly first: (page: Page, query: SortQuery) => OnePage;
  readonly read: (query: PageQuery & SortQuery) => OnePage | Refusal;
  readonly keyOf: (row: Row, page: OnePage) => readonly string[];
  /** The content of the cursor. */
  readonly positionOf: (row: Row, page: OnePage) => readonly string[];
};

type PagedDefinition<Query extends TSchema, Item extends TSchema, Rule extends Access, Ids extends IdPrefixes, Filter, Row, OnePage> = Omit<
  ListDefinition<Query, Item, Rule, Ids, Filter, Row>,
  'rows' | 'key' | 'keyShapes' | 'query'
> &
  ReadFilter<Query, Rule, Ids, Filter> & {
    readonly query: TSchema;
    readonly rows: (context: ListContext<Query, Ids, Rule, Filter>, page: OnePage) => Promise<readonly Row[]>;
  };

function pagedEndpoint<
  Query extends TSchema,
  Item extends TSchema,
  Rule extends Access,
  Ids extends IdPrefixes,
  Filter,
  Row,
  OnePage extends Page,
>(definition: PagedDefinition<Query, Item, Rule, Ids, Filter, Row, OnePage>, paging: Paging<Row, OnePage>): Endpoint {
  const { summary, access, ids = {}, query, item, readFilter, rows, renderer, csv, exists = async () => true } = definition;
  return withDefaults({
    summary,
    access,
    ids,
    query,
    files: csv === undefined ? [] : ['text/csv'],
    reply: pageOf(item),
    async handle(request: Request<Query, Ids, Rule> & { readonly query: SortQuery }) {
      const filter = readFilter(request);
      if (isRefusal(filter)) return filter;
      const context = { ...request, filter };
      if (csv !== undefined && chooseType(request.request.accept, ['application/json', 'text/csv']) === 'text/csv') {
        const rejected = rejectPaging(request.query);
        if (rejected !== null) return rejected;
        if (!(await exists(context))) return notFound;
        const first = paging.first({ after: null, limit: 0 }, request.query);
        const pages = readAllPages<Row>(
          (page) => rows(context, { ...first, ...page }),
          (row) => paging.keyOf(row, first),
        );
        return csvDownload(
          csv.name,
          csv.columns,
          renderPages(pages, (some) => renderer(context, some)),
        );
      }
      const page = paging.read(request.query);
      if (isRefusal(page)) return page;
      if (!(await exists(context))) return notFound;
      const found = await rows(context, page);
      return pageReply(found, page, await renderer(context, found), (row) => paging.positionOf(row, page));
    },
  });
}

async function* renderPages<Row, Json>(
  pages: AsyncIterable<readonly Row[]>,
  rendererOf: (rows: readonly Row[]) => Renderer<Row, Json> | Promise<Renderer<Row, Json>>,
): AsyncGenerator<readonly Json[]> {
  for await (const rows of pages) yield rows.map(await rendererOf(rows));
}
