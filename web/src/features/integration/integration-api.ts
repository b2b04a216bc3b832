import type { IntegrationCheck } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { apiQuery } from '../../ui/queries.ts';

export type IntegrationCheckName = IntegrationCheck['light'];

export const integrationPath = (store: string) => apiPath('/stores/{store}/integration', { store });
export const integrationQuery = (store: string) => apiQuery(integrationPath(store));
export const testLinksPath = (store: string) => apiPath('/stores/{store}/test-links', { store });
export const testLinksQuery = (store: string) => apiQuery(testLinksPath(store));
