import { Type as T } from 'typebox';
import { publicId } from '../core/ids.ts';
import { namedObject, searchText } from '../http/fields.ts';
import { endpoint } from '../people/endpoint.ts';
import { findCreators, findStores, type InstallationSearch } from './search-sql.ts';

/** Of each kind. The lists show all matches, with the same `q`. */
const resultsMax = 5;

export const searchInstallation = endpoint({
  summary: `Search the installation: the first ${resultsMax} stores and creators by name, address, or ID`,
  access: { allow: 'operator' },
  query: T.Object({ q: searchText('The beginning of a name, a part of a recent one, or an ID') }, { additionalProperties: false }),
  reply: namedObject('InstallationSearch', {
    stores: T.Array(T.Object({ id: T.String(), name: T.String(), site_url: T.String() })),
    creators: T.Array(T.Object({ id: T.String(), name: T.String(), email: T.String() })),
  }),
  async handle({ db, query }) {
    const search: InstallationSearch = { text: query.q, limit: resultsMax };
    const [stores, creators] = await Promise.all([findStores(db, search), findCreators(db, search)]);
    return {
      stores: stores.map(({ storeId, name, siteUrl }) => ({ id: publicId('store', storeId), name, site_url: siteUrl })),
      creators: creators.map(({ creatorId, name, email }) => ({ id: publicId('crt', creatorId), name, email })),
    };
  },
});
