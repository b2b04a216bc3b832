import { randomBytes } from 'node:crypto';
import { insertRole } from '../people/team-sql.ts';
import type { Queryable } from '../db/database.ts';
import { refuse, type Refusal, isRefusal, notFound } from '../http/responses.ts';
import { newId, type Id, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { readSite, addressLengthMax } from './site.ts';
import {
  claimTrackingKey,
  insertStore,
  setArchived,
  type Store,
  allStores,
  storeSorts,
  findStore,
  renameStore,
  setIntegrationDisabled,
  statusOf,
  storesOf,
} from './stores-sql.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { hashAddress } from '../people/address-hash.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { endpoint, type RequestFacts } from '../people/endpoint.ts';
import { pageFields, sortField } from '../http/page.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import type { Identity } from '../people/identity.ts';
import { isoTime, isoTimeOrNull, namedObject, nameField, orNull, searchField } from '../http/fields.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { changeSite, type ChangedSite, type LinksOfStore } from './change-site.ts';
import { proofRefusal } from '../people/proof.ts';
import { apiMessage } from '../messages/api-message.ts';

const trackingKeyBytes = 18;

type NewStore = {
  readonly name: string;
  readonly siteUrl: string;
  /** Null if an operator's API key creates the store: it has no owner until a person is invited. */
  readonly ownerId: Id<'user'> | null;
  readonly at: Date;
};

export async function createStore(db: Queryable, { name, siteUrl, ownerId, at }: NewStore): Promise<Store | Refusal> {
  const site = readSite(siteUrl);
  if (site.is === 'wrong')
    return refuse('unprocessable', apiMessage('merchants_stores.store_invalid_see_errors'), [{ field: 'site_url', message: site.message }]);
  const storeId = newId<'store'>(at);
  const trackingKey = `tk_${randomBytes(trackingKeyBytes).toString('base64url')}`;
  invariant(await claimTrackingKey(db, { storeId, trackingKey }), '144 random bits are unique');
  const store = await insertStore(db, { storeId, name, siteUrl: site.siteUrl, trackingKey, createdAt: at });
  if (ownerId !== null) await insertRole(db, { userId: ownerId, storeId, role: 'owner', now: at });
  return store;
}

export const archiveStore = (db: Queryable, of: { readonly storeId: Id<'store'>; readonly at: Date }): Promise<Store> =>
  setArchived(db, of);

export const unarchiveStore = (db: Queryable, storeId: Id<'store'>): Promise<Store> => setArchived(db, { storeId, at: null });

const storeNameLengthMax = 200;
const storesPerPersonMax = 100;

const storeJson = namedObject('Store', {
  id: T.String(),
  name: T.String(),
  site_url: T.String(),
  status: T.Union([T.Literal('active'), T.Literal('past_due'), T.Literal('archived')]),
  tracking_key: T.String(),
  tracking_on: T.Boolean(),
  tracking_on_at: orNull(T.String()),
  integration: T.Union([T.Literal('enabled'), T.Literal('disabled')]),
  archived_at: orNull(T.String()),
  created_at: T.String(),
});

const showStore = (store: Store): Static<typeof storeJson> => ({
  id: publicId('store', store.storeId),
  name: store.name,
  site_url: store.siteUrl,
  status: statusOf(store),
  tracking_key: store.trackingKey,
  tracking_on: store.trackingOnAt !== null,
  tracking_on_at: isoTimeOrNull(store.trackingOnAt),
  integration: store.integrationDisabledAt === null ? 'enabled' : 'disabled',
  archived_at: isoTimeOrNull(store.archivedAt),
  created_at: isoTime(store.createdAt),
});

/** Any signed-in person can create a store and then owns it; an API key can only if it belongs to an operator. */
export const createStoreEndpoint = endpoint({
  summary: 'Create a store',
  access: { allow: 'signed in' },
  body: T.Object(
    { name: nameField(storeNameLengthMax), site_url: T.String({ minLength: 1, maxLength: addressLengthMax }) },
    { additionalProperties: false },
  ),
  reply: storeJson,
  status: 201,
  audit: 'store.create',
  async handle({ db, now, identity, body }) {
    if (identity.by.is === 'key' && !identity.isOperator)
      return refuse('permission_missing', apiMessage('merchants_stores.api_key_cannot_create_stores'));
    if (!identity.isOperator && identity.stores.size >= storesPerPersonMax) {
      return refuse('limit_reached', apiMessage('merchants_stores.you_can_own_at_most', { storesPerPersonMax }));
    }
    const ownerId = identity.by.is === 'session' ? identity.by.userId : null;
    const made = await createStore(db, { name: body.name, siteUrl: body.site_url, ownerId, at: now });
    return isRefusal(made) ? made : showStore(made);
  },
});

export const listStoresEndpoint = sortedListEndpoint({
  summary: 'List the stores that you have access to, newest first',
  access: { allow: 'signed in' },
  query: T.Object(
    { ...pageFields, q: searchField('A part of the name or of the site, ignoring case, or the ID'), ...sortField(storeSorts) },
    { additionalProperties: false },
  ),
  item: storeJson,
  readFilter: ({ query: { q } }) => q ?? null,
  rows: ({ db, identity, filter: search }, page) =>
    identity.isOperator ? allStores(db, { ...page, search }) : storesOf(db, [...identity.stores.keys()], { ...page, search }),
  renderer: () => showStore,
  sorts: storeSorts,
});

export const getStoreEndpoint = endpoint({
  summary: 'Get a store',
  access: { allow: 'store', permission: 'store:read' },
  reply: storeJson,
  async handle({ db, ids }) {
    const store = await findStore(db, ids.store);
    return store === null ? notFound : showStore(store);
  },
});

/** A change of site changes where all links lead, so it requires a recent proof of identity, and live mode allows no API keys. */
const siteGuard = { proof: true, liveKeys: 'refused' } as const;

export const changeStoreEndpoint = (linksOfStore: LinksOfStore) =>
  endpoint({
    summary: "Change a store's name or site; a new site needs a recent proof of identity",
    access: { allow: 'store', permission: 'store:manage' },
    body: T.Object(
      {
        name: T.Optional(nameField(storeNameLengthMax)),
        site_url: T.Optional(
          T.String({
            minLength: 1,
            maxLength: addressLengthMax,
            description: 'Rejected if landing pages of programs or links are outside the new site',
          }),
        ),
        move_landing_pages: T.Optional(
          T.Boolean({ description: 'With `site_url`: landing pages outside the new site move to its host and keep their paths' }),
        ),
      },
      { additionalProperties: false, minProperties: 1 },
    ),
    reply: storeJson,
    alsoRefuses: ['proof_required', 'person_required', 'limit_reached'],
    audit: 'store.change',
    async handle({ platform, db, identity, ids, body, request, now }) {
      if (body.site_url !== undefined) {
        const proofRefused = proofRefusal(siteGuard, { identity, mode: platform.config.mode, accept: '', now: realNow() });
        if (proofRefused !== null) return proofRefused;
        const movesPages = body.move_landing_pages ?? false;
        const changed = await changeSite(db, linksOfStore, { storeId: ids.store, siteUrl: body.site_url, movesPages, at: now });
        if (isRefusal(changed)) return changed;
        if (changed !== null) await recordSiteAudit(db, platform, { identity, request, storeId: ids.store, changed, at: now });
      }
      if (body.name !== undefined) await renameStore(db, { storeId: ids.store, name: body.name });
      const store = await findStore(db, ids.store);
      invariant(store !== null, 'a store with roles exists');
      return showStore(store);
    },
  });

type SiteAudit = {
  readonly identity: Identity;
  readonly request: RequestFacts;
  readonly storeId: Id<'store'>;
  readonly changed: ChangedSite;
  readonly at: Date;
};

/** Supplements the audit entry of the request, which contains neither the former site nor the number of moved pages. */
const recordSiteAudit = (
  db: Queryable,
  { secrets }: Platform,
  { identity, request, storeId, changed: { from, to, programs, links }, at }: SiteAudit,
): Promise<void> =>
  recordAuditEntry(db, {
    at,
    actor: identity.actor,
    actorName: identity.name,
    storeId,
    creatorId: null,
    action: 'store.site_changed',
    subject: `/api/v1/stores/${publicId('store', storeId)}`,
    details: { from, to, programs_moved: programs, links_moved: links },
    requestId: request.id,
    addressHash: hashAddress(secrets, request.address),
  });

export const archiveStoreEndpoint = endpoint({
  summary: 'Archive a store: postbacks are rejected, and links create no clicks',
  access: { allow: 'store', permission: 'store:manage' },
  reply: storeJson,
  audit: 'store.archive',
  handle: async ({ db, ids, now }) => showStore(await archiveStore(db, { storeId: ids.store, at: now })),
});

export const unarchiveStoreEndpoint = endpoint({
  summary: 'Unarchive a store',
  access: { allow: 'store', permission: 'store:manage' },
  reply: storeJson,
  audit: 'store.unarchive',
  handle: async ({ db, ids }) => showStore(await unarchiveStore(db, ids.store)),
});

export const disableIntegrationEndpoint = endpoint({
  summary: 'Disable the integration: postbacks are rejected until it is enabled again',
  access: { allow: 'store', permission: 'integration:write' },
  reply: storeJson,
  audit: 'integration.disable',
  handle: async ({ db, ids, now }) => showStore(await setIntegrationDisabled(db, { storeId: ids.store, at: now })),
});

export const enableIntegrationEndpoint = endpoint({
  summary: 'Enable the integration',
  access: { allow: 'store', permission: 'integration:write' },
  reply: storeJson,
  audit: 'integration.enable',
  handle: async ({ db, ids }) => showStore(await setIntegrationDisabled(db, { storeId: ids.store, at: null })),
});
