import { positionNames, readTexts, type Position } from '../parts/search.ts';

// The addresses of a creator's lists: filter, place in the list and what is open all stand in them, so that a link shows the same.

const saleFilterNames = ['state', 'store_id', 'from', 'to'] as const;
export type SaleFilter = { readonly [Name in (typeof saleFilterNames)[number]]?: string | undefined };
export type SalesSearch = SaleFilter & Position & { readonly open?: string | undefined };
export const readSalesSearch = (search: Readonly<Record<string, unknown>>): SalesSearch =>
  readTexts(search, [...saleFilterNames, ...positionNames, 'open']);

export type OwnLinksSearch = {
  readonly program?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
export const readOwnLinksSearch = (search: Readonly<Record<string, unknown>>): OwnLinksSearch =>
  readTexts(search, ['program', 'from', 'to']);

export type OwnSubscriptionsSearch = { readonly state?: string | undefined };
export const readOwnSubscriptionsSearch = (search: Readonly<Record<string, unknown>>): OwnSubscriptionsSearch =>
  readTexts(search, ['state']);

/** `back` and `again` are where Stripe's own pages lead to. */
export type CreatorSettingsSearch = { readonly stripe?: string | undefined };
export const readCreatorSettingsSearch = (search: Readonly<Record<string, unknown>>): CreatorSettingsSearch =>
  readTexts(search, ['stripe']);

/** `link` is the code of one of the creator's links. */
export type RefusedOrdersSearch = Position & { readonly link?: string | undefined };
export const readRefusedOrdersSearch = (search: Readonly<Record<string, unknown>>): RefusedOrdersSearch =>
  readTexts(search, ['link', ...positionNames]);
