import { globSync, readFileSync } from 'node:fs';
import { must } from '../../src/platform/must.ts';

export type WebRoute = { readonly parent: string; readonly path: string };

/** Every route of the dashboards, as it is written: read, not listed again, so that a new page is in no test forgotten. */
export function webRoutes(): readonly WebRoute[] {
  const text = globSync('web/src/routes*.tsx')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const found = [...text.matchAll(/getParentRoute: \(\) => (\w+),\s+(?:path|id): '([^']*)'/g)];
  const routes = found.map(([, parent = '', path = '']) => ({ parent, path }));
  // A route that is written otherwise would be missed without a word.
  must(routes.length > 20 && routes.length === text.split('createRoute({').length - 1, 'the routes are written as this reads them');
  return routes;
}

const areas: Readonly<Record<string, string>> = { store: '/stores/$store', operator: '/operator', creator: '/creator' };

/** The whole address of each page. */
export const pathsOfRoutes = (): readonly string[] => [
  ...new Set(
    webRoutes()
      .filter(({ path }) => path !== 'inside')
      .map(({ parent, path }) => `${areas[parent] ?? ''}${path}`.replace(/(.)\/$/, '$1')),
  ),
];
