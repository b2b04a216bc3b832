import type { SubscriptionFilter } from '../stores/store-search-params.ts';
import type { Subscription } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';

export const subscriptionsPath = (store: string) => apiPath('/stores/{store}/relationships', { store });
export const subscriptionTotalsPath = (store: string, filter: SubscriptionFilter) =>
  apiPath('/stores/{store}/relationships/totals', { store }, filter);

/** `plan-basic, price-monthly` */
export const productText = ({ product_id: product, price_id: price }: Pick<Subscription, 'product_id' | 'price_id'>): string =>
  price === null ? product : `${product}, ${price}`;
