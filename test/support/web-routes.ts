import { globSync, readFileSync } from 'node:fs';
import { invariant } from '../../src/core/invariant.ts';

export type WebRoute = { readonly parent: string; readonly path: string };

/** Every route of the dashboards, read from the source, so that no test misses a new page. */
export function webRoutes(): readonly WebRoute[] {
  const text = globSync('web/src/app/routes/*.tsx')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const found = [...text.matchAll(/getParentRoute: \(\) => (\w+),\s+(?:path|id): '([^']*)'/g)];
  const routes = found.map(([, parent = '', path = '']) => ({ parent, path }));
  // A route in another format would be missed silently.
  invariant(routes.length > 20 && routes.length === text.split('createRoute({').length - 1, 'the routes have the format that this reads');
  return routes;
}

const areas: Readonly<Record<string, string>> = { store: '/stores/$store', operator: '/operator', creator: '/creator' };

/** The whole address of each page. */
export const pathsOfRoutes = (): readonly string[] => [
  ...new Set(
    webRoutes()
      .filter(({ path }) => path !== 'signed-in')
      .map(({ parent, path }) => `${areas[parent] ?? ''}${path}`.replace(/(.)\/$/, '$1')),
  ),
];
