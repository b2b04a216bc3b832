import { must } from '../../src/platform/must.ts';
import type { OpenApi } from '../../src/platform/http/openapi-document.ts';
import { describeApi } from '../../src/platform/http/openapi.ts';
import { apiRoutes } from '../../src/routes.ts';

/** Nothing is signed or charged here: the operations are only looked at. */
const ring = { keys: () => [], keysAt: async () => [], refresh: async () => {}, close: () => {} };
const chargeProvider = () => null;
const readNews = { sandbox: null, stripe: null };
const providers = { standard: 'sandbox', chargeProvider, payoutProvider: chargeProvider, readNews, accounts: null } as const;

export const wholeRoutes = apiRoutes({ ring, providers });

export const describedWhole = (): OpenApi =>
  describeApi({ baseUrl: 'https://partners.example', sessionCookie: 'tributary_session', routes: wholeRoutes, postbacks: [] });

type Operation = { readonly method: string; readonly path: RegExp; readonly statuses: ReadonlySet<string> };
let operations: readonly Operation[] | null = null;

/** Fixed words before names: `/creators/me` is not the creator whose id is "me". */
const readOperations = (): readonly Operation[] =>
  Object.entries(describedWhole().paths)
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replace('.', String.raw`\.`).replace(/\{\w+\}/g, '[^/]+')}$`),
        statuses: new Set(Object.keys(responses)),
      })),
    );

/** Whatever a test is answered, the description of the operation must have named: whoever reads it handles what it names. */
export function mustBeDescribed(method: string, path: string, status: number): void {
  operations ??= readOperations();
  const [asked = ''] = path.split('?');
  const operation = operations.find((one) => one.method === method && one.path.test(`/api/v1${asked}`));
  must(operation === undefined || operation.statuses.has(String(status)), `the description of ${method} ${asked} names ${status}`);
}
