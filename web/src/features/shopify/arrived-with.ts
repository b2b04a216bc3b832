/**
 * The query with which the page was opened. Shopify signs its exact values, and the router rewrites those that look like numbers, so it is
 * read before the router starts.
 */
export const arrivedWith = location.search.slice(1);
