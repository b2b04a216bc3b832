import { positionParams, readSearchParams, type PagePosition, type SortParam } from '../../ui/search-params.ts';

const auditFilterNames = ['actor', 'area', 'from', 'to'] as const;
export type AuditFilter = { readonly [Name in (typeof auditFilterNames)[number]]?: string | undefined };
export const readAuditSearch = (search: Readonly<Record<string, unknown>>): AuditFilter & PagePosition & SortParam =>
  readSearchParams(search, [...auditFilterNames, ...positionParams, 'sort']);
