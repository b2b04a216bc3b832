import { positionParams, readSearchParams, type PagePosition, type SortParam } from '../../ui/search-params.ts';

// The URL parameters of a store's lists: filter, position and open row, so that a link shows the same.

type Opened = { readonly open?: string | undefined };

const conversionFilterNames = ['state', 'held', 'approves_itself_within_days', 'creator_id', 'order_id', 'from', 'to', 'q'] as const;
export type ConversionFilter = { readonly [Name in (typeof conversionFilterNames)[number]]?: string | undefined };
export type ConversionsSearch = ConversionFilter & PagePosition & SortParam & Opened;
export const readConversionsSearch = (search: Readonly<Record<string, unknown>>): ConversionsSearch =>
  readSearchParams(search, [...conversionFilterNames, ...positionParams, 'sort', 'open']);

const subscriptionFilterNames = ['state', 'held', 'creator_id', 'q'] as const;
export type SubscriptionFilter = { readonly [Name in (typeof subscriptionFilterNames)[number]]?: string | undefined };
export type SubscriptionsSearch = SubscriptionFilter & PagePosition & SortParam & Opened;
export const readSubscriptionsSearch = (search: Readonly<Record<string, unknown>>): SubscriptionsSearch =>
  readSearchParams(search, [...subscriptionFilterNames, ...positionParams, 'sort', 'open']);

const logFilterNames = ['status', 'reason', 'operation', 'from', 'to', 'q'] as const;
export type LogFilter = { readonly [Name in (typeof logFilterNames)[number]]?: string | undefined };
export type TrackingLogSearch = LogFilter & PagePosition & SortParam & Opened;
export const readTrackingLogSearch = (search: Readonly<Record<string, unknown>>): TrackingLogSearch =>
  readSearchParams(search, [...logFilterNames, ...positionParams, 'sort', 'open']);

const creatorFilterNames = ['status', 'program_id', 'creator_id', 'q', 'from', 'to'] as const;
export type CreatorFilter = { readonly [Name in (typeof creatorFilterNames)[number]]?: string | undefined };
export type CreatorsSearch = CreatorFilter & PagePosition & SortParam;
export const readCreatorsSearch = (search: Readonly<Record<string, unknown>>): CreatorsSearch =>
  readSearchParams(search, [...creatorFilterNames, ...positionParams, 'sort']);

const codeFilterNames = ['q', 'status', 'program_id', 'creator_id'] as const;
export type CodeFilter = { readonly [Name in (typeof codeFilterNames)[number]]?: string | undefined };
export type CodesSearch = CodeFilter & PagePosition & SortParam;
export const readCodesSearch = (search: Readonly<Record<string, unknown>>): CodesSearch =>
  readSearchParams(search, [...codeFilterNames, ...positionParams, 'sort']);

const alternativesSearchNames = ['program_id', 'from', 'to'] as const;
export type AlternativesSearch = { readonly [Name in (typeof alternativesSearchNames)[number]]?: string | undefined };
export const readAlternativesSearch = (search: Readonly<Record<string, unknown>>): AlternativesSearch =>
  readSearchParams(search, alternativesSearchNames);

export type CreatorSearch = { readonly last?: string | undefined };
export const readCreatorSearch = (search: Readonly<Record<string, unknown>>): CreatorSearch => readSearchParams(search, ['last']);

const invitationFilterNames = ['status', 'program_id'] as const;
export type InvitationFilter = { readonly [Name in (typeof invitationFilterNames)[number]]?: string | undefined };
export type InvitationsSearch = InvitationFilter & PagePosition & SortParam;
export const readInvitationsSearch = (search: Readonly<Record<string, unknown>>): InvitationsSearch =>
  readSearchParams(search, [...invitationFilterNames, ...positionParams, 'sort']);

const importRowFilterNames = ['state'] as const;
export type ImportRowFilter = { readonly [Name in (typeof importRowFilterNames)[number]]?: string | undefined };
export type ImportSearch = ImportRowFilter & PagePosition;
export const readImportSearch = (search: Readonly<Record<string, unknown>>): ImportSearch =>
  readSearchParams(search, [...importRowFilterNames, ...positionParams]);

export type MessagesSearch = { readonly creator_id?: string | undefined };
export const readMessagesSearch = (search: Readonly<Record<string, unknown>>): MessagesSearch => readSearchParams(search, ['creator_id']);

export type DisputesSearch = PagePosition & SortParam & { readonly state?: string | undefined };
export const readDisputesSearch = (search: Readonly<Record<string, unknown>>): DisputesSearch =>
  readSearchParams(search, [...positionParams, 'sort', 'state']);

export type WebhookSearch = PagePosition & Opened & { readonly state?: string | undefined };
export const readWebhookSearch = (search: Readonly<Record<string, unknown>>): WebhookSearch =>
  readSearchParams(search, [...positionParams, 'open', 'state']);

export type StripeSearch = PagePosition & { readonly state?: string | undefined };
export const readStripeSearch = (search: Readonly<Record<string, unknown>>): StripeSearch =>
  readSearchParams(search, [...positionParams, 'state']);

/** What Shopify added to the URL fills in the form. */
export type ShopifySearch = PagePosition & { readonly state?: string | undefined; readonly shop?: string | undefined };
export const readShopifySearch = (search: Readonly<Record<string, unknown>>): ShopifySearch =>
  readSearchParams(search, [...positionParams, 'state', 'shop']);
export const readInstallSearch = (search: Readonly<Record<string, unknown>>): Pick<ShopifySearch, 'shop'> =>
  readSearchParams(search, ['shop']);

const overviewSearchNames = ['last', 'from', 'to', 'chart', 'compare', 'by'] as const;
export type OverviewSearch = { readonly [Name in (typeof overviewSearchNames)[number]]?: string | undefined };
export const readOverviewSearch = (search: Readonly<Record<string, unknown>>): OverviewSearch =>
  readSearchParams(search, overviewSearchNames);

const invoiceFilterNames = ['state', 'from', 'to', 'q'] as const;
export type InvoiceFilter = { readonly [Name in (typeof invoiceFilterNames)[number]]?: string | undefined };
/** `card` and `backup_card`: the setup ID that Stripe's page adds to the return URL. */
export type BillingSearch = InvoiceFilter &
  PagePosition &
  SortParam &
  Opened & { readonly card?: string | undefined; readonly backup_card?: string | undefined };
export const readBillingSearch = (search: Readonly<Record<string, unknown>>): BillingSearch =>
  readSearchParams(search, [...invoiceFilterNames, ...positionParams, 'sort', 'open', 'card', 'backup_card']);

export type StatementSearch = { readonly period?: string | undefined };
export const readStatementSearch = (search: Readonly<Record<string, unknown>>): StatementSearch => readSearchParams(search, ['period']);
