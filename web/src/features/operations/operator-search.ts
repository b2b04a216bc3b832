import { positionParams, readSearchParams, type PagePosition, type SortParam } from '../../ui/search-params.ts';

// The URL parameters of the operator console.

type Search = Readonly<Record<string, unknown>>;

export const readRunSearch = (search: Search): { readonly run?: string | undefined } => readSearchParams(search, ['run']);

export type PayoutsSearch = PagePosition & SortParam & { readonly run?: string | undefined; readonly state?: string | undefined };
export const readPayoutsSearch = (search: Search): PayoutsSearch => readSearchParams(search, [...positionParams, 'sort', 'run', 'state']);

export const readInvoiceSearch = (search: Search): { readonly invoice?: string | undefined } => readSearchParams(search, ['invoice']);

export type ChargesSearch = PagePosition & SortParam & { readonly state?: string | undefined };
export const readChargesSearch = (search: Search): ChargesSearch => readSearchParams(search, [...positionParams, 'sort', 'state']);

export const readOperatorDisputesSearch = (search: Search): PagePosition & SortParam & { readonly state?: string | undefined } =>
  readSearchParams(search, [...positionParams, 'sort', 'state']);

export type RiskSearch = PagePosition &
  SortParam & {
    readonly state?: string | undefined;
    readonly rule?: string | undefined;
    readonly case?: string | undefined;
  };
export const readRiskSearch = (search: Search): RiskSearch =>
  readSearchParams(search, [...positionParams, 'sort', 'state', 'rule', 'case']);

export type ReviewSearch = PagePosition & SortParam & { readonly held?: string | undefined; readonly store_id?: string | undefined };
export const readReviewSearch = (search: Search): ReviewSearch => readSearchParams(search, [...positionParams, 'sort', 'held', 'store_id']);
