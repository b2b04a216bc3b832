import { positionNames, readTexts, type Position } from '../parts/search.ts';

// What stands in the addresses of the console: what is opened, and what a list is narrowed to.

type Search = Readonly<Record<string, unknown>>;

export const readRunSearch = (search: Search): { readonly run?: string | undefined } => readTexts(search, ['run']);

export const readPayoutsSearch = (search: Search): { readonly run?: string | undefined; readonly state?: string | undefined } =>
  readTexts(search, ['run', 'state']);

export const readInvoiceSearch = (search: Search): { readonly invoice?: string | undefined } => readTexts(search, ['invoice']);

export const readChargesSearch = (search: Search): { readonly state?: string | undefined } => readTexts(search, ['state']);

export const readDisputesSearch = (search: Search): Position & { readonly state?: string | undefined } =>
  readTexts(search, [...positionNames, 'state']);

export type RiskSearch = Position & {
  readonly state?: string | undefined;
  readonly rule?: string | undefined;
  readonly case?: string | undefined;
};
export const readRiskSearch = (search: Search): RiskSearch => readTexts(search, [...positionNames, 'state', 'rule', 'case']);

export type WaitingSearch = Position & { readonly held?: string | undefined; readonly store_id?: string | undefined };
export const readWaitingSearch = (search: Search): WaitingSearch => readTexts(search, [...positionNames, 'held', 'store_id']);
