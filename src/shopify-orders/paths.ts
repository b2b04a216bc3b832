/** The paths of a store, with `:store` for all of them. */
export const webhooksPath = (store: string): string => `/api/v1/providers/shopify/stores/${store}`;
export const clicksPath = (store: string): string => `/api/v1/providers/shopify/stores/${store}/clicks`;

/** Shopify's webhooks about personal data have one URL for all shops of an app. */
export const privacyPath = '/api/v1/providers/shopify/privacy';

/** A page of the dashboards, to which Shopify returns the person who installs the app. */
export const callbackPath = '/shopify/callback';
