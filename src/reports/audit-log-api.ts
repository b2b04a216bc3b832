import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { invoiceName } from '../billing/invoice.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import type { Queryable } from '../db/database.ts';
import { readTimeRange, timeRangeFields } from '../contract/time-range.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { isRefusal, type Refusal } from '../http/responses.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { actionsOfArea, auditActions, auditAreas } from '../people/audit-actions.ts';
import { auditSorts, listAuditEntries, type AuditFilter, type AuditRow } from '../people/audit-sql.ts';
import { timeField } from '../people/fields.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { listStoreObjects, personNames, type StoreObject } from './audit-objects-sql.ts';

const objectTypes = ['store', 'creator', 'person', 'program', 'group', 'code', 'commission', 'invoice'] as const;

const objectJson = namedObject('AuditObject', {
  type: T.Enum([...objectTypes]),
  id: T.String(),
  name: T.String({ description: 'Its present name; of a commission, the ID of its order, invoice, or lead' }),
});

export const auditEntryJson = namedObject('AuditEntry', {
  id: T.String(),
  at: timeField,
  actor: T.String(),
  actor_name: T.String(),
  action: T.String(),
  subject: T.String(),
  objects: T.Array(objectJson, {
    description: 'What the entry is about, as far as it still exists: first what the subject names. A membership is its creator.',
  }),
  details: T.Unknown(),
  store_id: orNull(T.String()),
  creator_id: orNull(T.String()),
  request_id: T.String(),
});

type AuditObject = Static<typeof objectJson>;

const actorLengthMax = 60;

const auditQuery = T.Object(
  {
    ...pageFields,
    actor: T.Optional(T.String({ maxLength: actorLengthMax, pattern: '^[a-z_0-9]*$', description: '`user_…`, `key_…`, or `system`' })),
    area: T.Optional(T.Enum([...auditAreas], { description: 'Entries whose action is about this' })),
    action: T.Optional(T.Enum([...auditActions])),
    ...timeRangeFields(),
    ...sortField(auditSorts),
  },
  { additionalProperties: false },
);

function readFilter({ actor, area, action, ...fields }: Static<typeof auditQuery>): AuditFilter | Refusal {
  const range = readTimeRange(fields);
  if (isRefusal(range)) return range;
  const ofArea = area === undefined ? null : actionsOfArea(area);
  const actions = action === undefined ? ofArea : [action].filter((one) => ofArea === null || ofArea.includes(one));
  return { actor: actor ?? null, actions, ...range };
}

export const readAuditLog = sortedListEndpoint({
  summary: 'List the audit log, newest first',
  access: { allow: 'operator' },
  query: auditQuery,
  item: auditEntryJson,
  readFilter: ({ query }) => readFilter(query),
  rows: ({ db, filter }, page) => listAuditEntries(db, null, filter, page),
  renderer: ({ db }, rows) => loadAuditRenderer(db, rows),
  sorts: auditSorts,
});

export const readStoreAuditLog = sortedListEndpoint({
  summary: 'List the audit log of a store, newest first',
  access: { allow: 'store', permission: 'store:read' },
  query: auditQuery,
  item: auditEntryJson,
  readFilter: ({ query }) => readFilter(query),
  rows: ({ db, ids, filter }, page) => listAuditEntries(db, ids.store, filter, page),
  renderer: ({ db }, rows) => loadAuditRenderer(db, rows),
  sorts: auditSorts,
});

/** Loads the present names of the objects, because the log itself must not keep the name of an erased person. */
export async function loadAuditRenderer(
  db: Queryable,
  rows: readonly AuditRow[],
): Promise<(row: AuditRow) => Static<typeof auditEntryJson>> {
  const objects = await loadObjects(
    db,
    rows.flatMap((row) => objectIdsOf(row).map((id) => ({ id, storeId: row.storeId }))),
  );
  return (row) => ({
    id: publicId('audit', row.auditEntryId),
    at: isoTime(row.at),
    actor: row.actor,
    actor_name: row.actorName,
    action: row.action,
    subject: row.subject,
    objects: [...new Set(objectIdsOf(row).flatMap((id) => objects.get(id) ?? []))],
    details: row.details,
    store_id: row.storeId && publicId('store', row.storeId),
    creator_id: row.creatorId && publicId('crt', row.creatorId),
    request_id: row.requestId,
  });
}

/** Only fields whose value the operation looked up: any other text of a request could be the ID of an object of others. */
const detailNames = ['creator_id', 'program_id', 'group_id', 'commission_id'] as const;

/** Public IDs, and texts that are none. */
function objectIdsOf({ subject, details, storeId, creatorId }: AuditRow): readonly string[] {
  return [
    ...subject.split('/'),
    ...detailNames.map((name) => fieldOf(details, name)).filter((text) => typeof text === 'string'),
    ...(creatorId === null ? [] : [publicId('crt', creatorId)]),
    ...(storeId === null ? [] : [publicId('store', storeId)]),
  ];
}

const fieldOf = (details: unknown, name: string): unknown =>
  typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined;

type Mentioned = { readonly id: string; readonly storeId: Id<'store'> | null };

/** By public ID. */
async function loadObjects(db: Queryable, mentioned: readonly Mentioned[]): Promise<ReadonlyMap<string, AuditObject>> {
  const idsOf = <Prefix extends string>(prefix: Prefix) => mentioned.flatMap(({ id }) => readPublicId(prefix, id) ?? []);
  const ofStores = await listStoreObjects(db, mentioned.flatMap(storeObjectKeys));
  const members = ofStores.filter((object) => object.type === 'membership');
  const objects = new Map<string, AuditObject>();
  const add = (type: AuditObject['type'], id: string, name: string) => void objects.set(id, { type, id, name });
  for (const [id, { name }] of await storesById(db, idsOf('store'))) add('store', publicId('store', id), name);
  for (const [id, name] of await personNames(db, idsOf('user'))) add('person', publicId('user', id), name);
  const creatorIds = [...idsOf('crt'), ...members.map(({ creatorId }) => creatorId)];
  for (const [id, name] of await creatorNames(db, creatorIds)) add('creator', publicId('crt', id), name);
  for (const object of ofStores) {
    const id = publicId(prefixes[object.type], object.id);
    if (object.type === 'invoice') add(object.type, id, invoiceName(object.number));
    else if (object.type !== 'membership') add(object.type, id, object.name);
  }
  for (const { id, creatorId } of members) {
    const creator = objects.get(publicId('crt', creatorId));
    if (creator !== undefined) objects.set(publicId('mem', id), creator);
  }
  return objects;
}

const prefixes = {
  program: 'prog',
  membership: 'mem',
  group: 'grp',
  code: 'code',
  commission: 'com',
  invoice: 'inv',
} as const satisfies Readonly<Record<StoreObject['type'], string>>;

function storeObjectKeys({ id: text, storeId }: Mentioned) {
  if (storeId === null) return [];
  return Object.values(prefixes).flatMap((prefix) => {
    const id: Id | null = readPublicId(prefix, text);
    return id === null ? [] : [{ storeId, id }];
  });
}
