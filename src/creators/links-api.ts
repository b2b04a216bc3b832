import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { findProgram } from '../merchants/programs-sql.ts';
import { addressLengthMax } from '../merchants/site.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull, idField } from '../http/fields.ts';
import { timeShape } from '../http/page.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { listLinks, type Link } from './links-sql.ts';
import { codeShape, createLink, linkUrl } from './links.ts';
import { listEndpoint } from '../people/list-endpoint.ts';

const linkJson = namedObject('Link', {
  code: T.String(),
  url: T.String(),
  program_id: T.String(),
  member_id: T.String(),
  creator_id: T.String(),
  destination_url: orNull(T.String()),
  created_at: T.String(),
});

const showLink = (link: Link, baseUrl: string): Static<typeof linkJson> => ({
  code: link.code,
  url: linkUrl(baseUrl, link.code),
  program_id: publicId('prog', link.programId),
  member_id: publicId('mem', link.memberId),
  creator_id: publicId('crt', link.creatorId),
  destination_url: link.destinationUrl,
  created_at: isoTime(link.createdAt),
});

export const createLinkEndpoint = endpoint({
  summary: "Create a link for a member of a program; it leads to the store's site",
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: T.Object(
    {
      creator_id: idField(),
      destination_url: T.Optional(orNull(T.String({ minLength: 1, maxLength: addressLengthMax }))),
      code: T.Optional(orNull(T.String({ pattern: codeShape }))),
    },
    { additionalProperties: false },
  ),
  reply: linkJson,
  status: 201,
  audit: 'link.create',
  async handle({ platform, db, ids, body, now }) {
    const link = await createLink(db, {
      storeId: ids.store,
      programId: ids.program,
      creatorId: readPublicId('crt', body.creator_id),
      destinationUrl: body.destination_url ?? null,
      code: body.code ?? null,
      at: now,
    });
    return isRefusal(link) ? link : showLink(link, platform.config.baseUrl);
  },
});

export const listLinksEndpoint = listEndpoint({
  summary: "List a program's links, newest first",
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  item: linkJson,
  exists: async ({ db, ids }) => (await findProgram(db, { storeId: ids.store, programId: ids.program })) !== null,
  rows: ({ db, ids }, page) => listLinks(db, { storeId: ids.store, programId: ids.program }, page),
  renderer:
    ({ platform }) =>
    (link) =>
      showLink(link, platform.config.baseUrl),
  key: ({ createdAt, code }) => [String(createdAt.getTime()), code],
  keyShapes: [timeShape, new RegExp(codeShape)],
});
