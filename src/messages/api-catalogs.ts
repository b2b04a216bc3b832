import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type ApiCatalog = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads the English catalogs of texts of the server. In the packed command line this file contains their texts. */
export function readApiCatalogs(): readonly ApiCatalog[] {
  const folder = join(import.meta.dirname, '..', '..', 'locales', 'en');
  const names = readdirSync(folder).filter((name) => name.startsWith('api-'));
  return names.map((name): ApiCatalog => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
