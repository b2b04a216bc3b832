import { queryOf } from '../parts/search.ts';
import type { CreatorFilter } from './list-search.ts';
import type { Member } from './members-api.ts';
import type { Cents } from '../parts/amounts.ts';

export type CreatorOfStore = Member & {
  readonly program_id: string;
  readonly program_name: string;
  readonly created_at: string;
  readonly clicks: number;
  readonly orders: number;
  readonly revenue_cents: Cents;
  readonly earned_cents: Cents;
};

type Place = { readonly cursor?: string; readonly limit?: number };

export const creatorsOfStore = (store: string, filter: CreatorFilter, place: Place): string =>
  `/stores/${store}/creators${queryOf({ ...filter, ...place })}`;
