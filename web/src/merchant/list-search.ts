import { positionNames, readTexts, type Position } from '../parts/search.ts';

// The addresses of the lists of a store: filter, place in the list and what is open all stand in them, so that a link shows the same.

type Opened = { readonly open?: string | undefined };

const conversionFilterNames = ['state', 'held', 'approves_itself_within_days', 'creator_id', 'order_id', 'from', 'to', 'q'] as const;
export type ConversionFilter = { readonly [Name in (typeof conversionFilterNames)[number]]?: string | undefined };
export type ConversionsSearch = ConversionFilter & Position & Opened;
export const readConversionsSearch = (search: Readonly<Record<string, unknown>>): ConversionsSearch =>
  readTexts(search, [...conversionFilterNames, ...positionNames, 'open']);

const subscriptionFilterNames = ['state', 'held', 'creator_id', 'q'] as const;
export type SubscriptionFilter = { readonly [Name in (typeof subscriptionFilterNames)[number]]?: string | undefined };
export type SubscriptionsSearch = SubscriptionFilter & Position & Opened;
export const readSubscriptionsSearch = (search: Readonly<Record<string, unknown>>): SubscriptionsSearch =>
  readTexts(search, [...subscriptionFilterNames, ...positionNames, 'open']);

const logFilterNames = ['status', 'reason', 'operation', 'from', 'to', 'q'] as const;
export type LogFilter = { readonly [Name in (typeof logFilterNames)[number]]?: string | undefined };
export type TrackingLogSearch = LogFilter & Position & Opened;
export const readTrackingLogSearch = (search: Readonly<Record<string, unknown>>): TrackingLogSearch =>
  readTexts(search, [...logFilterNames, ...positionNames, 'open']);

const creatorFilterNames = ['status', 'program_id', 'creator_id', 'q', 'from', 'to'] as const;
export type CreatorFilter = { readonly [Name in (typeof creatorFilterNames)[number]]?: string | undefined };
export type CreatorsSearch = CreatorFilter & Position;
export const readCreatorsSearch = (search: Readonly<Record<string, unknown>>): CreatorsSearch =>
  readTexts(search, [...creatorFilterNames, ...positionNames]);

export type DisputesSearch = Position & { readonly state?: string | undefined };
export const readDisputesSearch = (search: Readonly<Record<string, unknown>>): DisputesSearch =>
  readTexts(search, [...positionNames, 'state']);

export type WebhookSearch = Position & Opened & { readonly state?: string | undefined };
export const readWebhookSearch = (search: Readonly<Record<string, unknown>>): WebhookSearch =>
  readTexts(search, [...positionNames, 'open', 'state']);

const overviewSearchNames = ['last', 'from', 'to', 'chart'] as const;
export type OverviewSearch = { readonly [Name in (typeof overviewSearchNames)[number]]?: string | undefined };
export const readOverviewSearch = (search: Readonly<Record<string, unknown>>): OverviewSearch => readTexts(search, overviewSearchNames);

const invoiceFilterNames = ['state', 'from', 'to'] as const;
export type InvoiceFilter = { readonly [Name in (typeof invoiceFilterNames)[number]]?: string | undefined };
/** `card` and `backup_card`: what was entered on Stripe's page, which leads back with it. */
export type BillingSearch = InvoiceFilter &
  Position &
  Opened & { readonly card?: string | undefined; readonly backup_card?: string | undefined };
export const readBillingSearch = (search: Readonly<Record<string, unknown>>): BillingSearch =>
  readTexts(search, [...invoiceFilterNames, ...positionNames, 'open', 'card', 'backup_card']);

export type StatementSearch = { readonly period?: string | undefined };
export const readStatementSearch = (search: Readonly<Record<string, unknown>>): StatementSearch => readTexts(search, ['period']);
