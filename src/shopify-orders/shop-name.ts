/** A shop's permanent host. Custom domains of a shop do not serve its API. */
const shopPattern = /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/;

/** Null unless it is the permanent host of a shop: everything that is sent to a shop goes to this host. */
export function readShop(text: string): string | null {
  const shop = text.trim().toLowerCase();
  return shopPattern.test(shop) ? shop : null;
}
