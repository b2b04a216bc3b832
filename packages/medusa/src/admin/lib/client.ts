import Medusa from '@medusajs/js-sdk';

/** The dashboard and Medusa's server are usually the same origin; `VITE_BACKEND_URL` is set when they are not. */
const backendUrl: string = import.meta.env?.VITE_BACKEND_URL ?? '/';

export const client = new Medusa({ baseUrl: backendUrl, auth: { type: 'session' } });
