import { readdirSync, readFileSync } from 'node:fs';
import { programFolder } from '../core/program-folder.ts';

export type ApiCatalog = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads the English catalogs of texts of the server. In the packed command line this file contains their texts. */
export function readApiCatalogs(): readonly ApiCatalog[] {
  const folder = new URL('locales/en/', programFolder);
  const names = readdirSync(folder).filter((name) => name.startsWith('api-'));
  return names.map((name): ApiCatalog => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
}
