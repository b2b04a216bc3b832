import { queryString } from '../../ui/search-params.ts';
import type { CreatorFilter } from '../stores/store-search-params.ts';
import type { Member } from './members-api.ts';
import type { Cents } from '../../api/parse-json.ts';

export type StoreCreator = Member & {
  readonly program_id: string;
  readonly program_name: string;
  readonly created_at: string;
  readonly clicks: number;
  readonly orders: number;
  readonly revenue_cents: Cents;
  readonly earned_cents: Cents;
};

type PageParams = { readonly cursor?: string; readonly limit?: number };

export const storeCreatorsPath = (store: string, filter: CreatorFilter, index: PageParams): string =>
  `/stores/${store}/creators${queryString({ ...filter, ...index })}`;
