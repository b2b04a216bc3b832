import { hourMs } from '../core/time.ts';
import type { PostedClick, ShopifyOrder } from './shopify-order.ts';

export type ClickFacts = {
  readonly order: Pick<ShopifyOrder, 'cartClick' | 'lineClick' | 'processedAt'>;
  /** Of an earlier reading of the order. */
  readonly known: string | null;
  /** Of the web pixel, for the checkout token of the order. */
  readonly posted: PostedClick | null;
};

/** A browser posts its click when the checkout is complete, which is when Shopify creates the order. */
const postedWithinMs = hourMs;

/**
 * The click of an order; the first match wins. What Shopify stored with the order precedes what a browser posted, because the post proves
 * only that its sender knows the checkout token.
 */
export function decideClick({ order, known, posted }: ClickFacts): string | null {
  if (known !== null) return known;
  if (order.cartClick !== null) return order.cartClick;
  if (order.lineClick !== null) return order.lineClick;
  if (posted === null || posted.isDisputed) return null;
  const apartMs = Math.abs(posted.postedAt.getTime() - order.processedAt.getTime());
  return apartMs <= postedWithinMs ? posted.clickId : null;
}
