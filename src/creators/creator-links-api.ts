import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { programsByName, storeOfProgram } from '../merchants/programs-sql.ts';
import { addressLengthMax } from '../merchants/site.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, refuse, type Refusal } from '../http/responses.ts';
import { centsField, isoTime, namedObject, orNull, searchField, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Link } from './links-sql.ts';
import { codeShape, createLink, linkUrl } from './links.ts';
import { findMembership, listStoresOfCreator } from './members-sql.ts';
import { isOpenToCreators } from './open-programs.ts';
import { linkSorts, listLinksOfCreator, listLinkTotals } from './creator-links-sql.ts';
import { countRefusedOrdersByLink } from './refused-orders-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const creatorLinkJson = namedObject('CreatorLink', {
  code: T.String(),
  url: T.String({ description: 'Add ?sub= and a value of your choice to distinguish placements; each sale shows it' }),
  program_id: T.String(),
  program_name: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  destination_url: orNull(T.String()),
  leads_to: T.String({ description: 'The destination, or the landing page of the program' }),
  earns: T.Boolean({ description: 'False while the membership, the program or the store is paused' }),
  created_at: T.String(),
  arrivals: T.Integer({ description: 'All visits, including bots, previews, and prefetches' }),
  clicks: T.Integer({ description: 'Clicks by people, which can lead to an order' }),
  orders: T.Integer(),
  earned_cents: centsField('Commissions of these orders, minus refunds'),
  refused: T.Integer({ description: 'Orders with a click of this link that failed; see refused-orders' }),
});

/** Loads the related rows of a page of links in one query for each table. */
async function loadLinkRenderer(
  { config }: Platform,
  db: Queryable,
  links: readonly Link[],
): Promise<(link: Link) => Static<typeof creatorLinkJson>> {
  const programs = await programsByName(db, links);
  const stores = await storesById(
    db,
    links.map(({ storeId }) => storeId),
  );
  const sums = await listLinkTotals(db, links);
  const isMember = await approvedPrograms(db, links);
  const refused = await refusedCounts(db, links);
  return (link) => {
    const [store, program] = [stores.get(link.storeId), programs.get(link.programId)];
    invariant(store !== undefined && program !== undefined, 'stores and programs are never deleted');
    const { arrivals, clicks, orders, earnedCents } = sums(link);
    return {
      code: link.code,
      url: linkUrl(config.baseUrl, link.code),
      program_id: publicId('prog', link.programId),
      program_name: program.name,
      store_id: publicId('store', link.storeId),
      store_name: store.name,
      destination_url: link.destinationUrl,
      leads_to: link.destinationUrl ?? program.landingUrl,
      earns: isMember.has(link.programId) && isOpenToCreators({ status: program.status, store }),
      created_at: isoTime(link.createdAt),
      arrivals: Number(arrivals),
      clicks: Number(clicks),
      orders: Number(orders),
      earned_cents: earnedCents,
      refused: Number(refused.get(link.linkNumber) ?? 0n),
    };
  };
}

/** Rejected orders by link. All links must belong to one creator. */
async function refusedCounts(db: Queryable, links: readonly Link[]): Promise<ReadonlyMap<bigint, bigint>> {
  const [first] = links;
  if (first === undefined) return new Map();
  const storeIds = [...new Set(links.map(({ storeId }) => storeId))];
  const linkNumbers = links.map(({ linkNumber }) => linkNumber);
  const rows = await countRefusedOrdersByLink(db, { creatorId: first.creatorId, storeIds, linkNumbers });
  return new Map(rows.map(({ linkNumber, refused }) => [linkNumber, refused]));
}

/** The programs of the links in which the creator is an approved member. */
async function approvedPrograms(db: Queryable, links: readonly Link[]): Promise<ReadonlySet<string>> {
  const programs = new Map(links.map((link) => [link.programId, link]));
  const members = await Promise.all([...programs.values()].map((of) => findMembership(db, of)));
  return new Set(members.flatMap((member) => (member?.status === 'approved' ? [member.programId] : [])));
}

export const listOwnLinksEndpoint = sortedListEndpoint({
  summary: "List a creator's links in all programs with their results, newest first",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...pageFields,
      program_id: T.Optional(idField()),
      q: searchField('A part of the code or of the destination, ignoring case'),
      ...sortField(linkSorts),
    },
    { additionalProperties: false },
  ),
  item: creatorLinkJson,
  readFilter: () => null,
  async rows({ db, ids, query: { program_id: requested, q } }, page) {
    const programId = requested === undefined ? null : readPublicId('prog', requested);
    // The ID is not a program ID, so there are no links.
    if (requested !== undefined && programId === null) return [];
    const storeIds = await listStoresOfCreator(db, ids.creator);
    return listLinksOfCreator(db, { creatorId: ids.creator, storeIds, programId, search: q ?? null }, page);
  },
  renderer: ({ platform, db }, links) => loadLinkRenderer(platform, db, links),
  sorts: linkSorts,
});

export const createOwnLinkEndpoint = endpoint({
  summary: "Create a link as a creator, in a program with an approved membership; it leads to the store's site",
  access: { allow: 'creator', permission: 'creator:write' },
  body: T.Object(
    {
      program_id: idField(),
      destination_url: T.Optional(orNull(T.String({ minLength: 1, maxLength: addressLengthMax }))),
      code: T.Optional(orNull(T.String({ pattern: codeShape }))),
    },
    { additionalProperties: false },
  ),
  reply: creatorLinkJson,
  status: 201,
  audit: 'link.create',
  async handle({ platform, db, ids, body, now }) {
    const programId = readPublicId('prog', body.program_id);
    const storeId = programId === null ? null : await storeOfProgram(db, programId);
    if (programId === null || storeId === null) return notAMember;
    const of = { storeId, programId, creatorId: ids.creator };
    if ((await findMembership(db, of))?.status !== 'approved') return notAMember;
    const link = await createLink(db, { ...of, destinationUrl: body.destination_url ?? null, code: body.code ?? null, at: now });
    if (isRefusal(link)) return link;
    return (await loadLinkRenderer(platform, db, [link]))(link);
  },
});

/** The same message for unknown programs and other creators' programs, so that it does not reveal which exist. */
const notAMember: Refusal = refuse('unprocessable', apiMessage('shared.link_invalid'), [
  { field: 'program_id', message: apiMessage('creator_links_api.not_program_you_approved_member') },
]);
