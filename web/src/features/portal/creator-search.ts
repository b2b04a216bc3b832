import { positionParams, readSearchParams, type PagePosition, type SortParam } from '../../ui/search-params.ts';

// The URL parameters of a creator's lists: filter, position and open row, so that a link shows the same.

const homeSearchNames = ['last', 'from', 'to', 'chart', 'link'] as const;
/** `link` is the code of the link whose results are shown; without it, all links. */
export type CreatorHomeSearch = { readonly [Name in (typeof homeSearchNames)[number]]?: string | undefined };
export const readCreatorHomeSearch = (search: Readonly<Record<string, unknown>>): CreatorHomeSearch =>
  readSearchParams(search, homeSearchNames);

const saleFilterNames = ['state', 'store_id', 'from', 'to', 'q'] as const;
export type SaleFilter = { readonly [Name in (typeof saleFilterNames)[number]]?: string | undefined };
export type SalesSearch = SaleFilter & PagePosition & SortParam & { readonly open?: string | undefined };
export const readSalesSearch = (search: Readonly<Record<string, unknown>>): SalesSearch =>
  readSearchParams(search, [...saleFilterNames, ...positionParams, 'sort', 'open']);

export type CreatorLinksSearch = PagePosition &
  SortParam & {
    readonly q?: string | undefined;
    readonly program_id?: string | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    /** The sub-ID whose results are shown by day; without it, all sub-IDs. */
    readonly sub?: string | undefined;
  };
export const readCreatorLinksSearch = (search: Readonly<Record<string, unknown>>): CreatorLinksSearch =>
  readSearchParams(search, ['program_id', 'q', 'from', 'to', 'sub', 'sort', ...positionParams]);

export type CreatorAssetsSearch = PagePosition & { readonly program_id?: string | undefined };
export const readCreatorAssetsSearch = (search: Readonly<Record<string, unknown>>): CreatorAssetsSearch =>
  readSearchParams(search, ['program_id', ...positionParams]);

export type CreatorSubscriptionsSearch = PagePosition & { readonly state?: string | undefined };
export const readCreatorSubscriptionsSearch = (search: Readonly<Record<string, unknown>>): CreatorSubscriptionsSearch =>
  readSearchParams(search, ['state', ...positionParams]);

/** `back` and `again` are the return URLs of Stripe's pages. */
export type CreatorSettingsSearch = { readonly stripe?: string | undefined };
export const readCreatorSettingsSearch = (search: Readonly<Record<string, unknown>>): CreatorSettingsSearch =>
  readSearchParams(search, ['stripe']);

/** `link` is the code of one of the creator's links. */
export type RefusedOrdersSearch = PagePosition & SortParam & { readonly link?: string | undefined };
export const readRefusedOrdersSearch = (search: Readonly<Record<string, unknown>>): RefusedOrdersSearch =>
  readSearchParams(search, ['link', 'sort', ...positionParams]);
