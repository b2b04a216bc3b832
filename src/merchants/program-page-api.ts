import { createHash } from 'node:crypto';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { lineField, namedObject, orNull, textField } from '../http/fields.ts';
import { notFound, refuse } from '../http/responses.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { logoTypeOf } from './logo-type.ts';
import { deleteLogo, findLogo, findProgramPage, upsertLogo, upsertProgramPage } from './program-page-sql.ts';
import { findProgram, lockProgram, type ProgramName } from './programs-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const descriptionLengthMax = 5_000;
const faqMax = 20;
const questionLengthMax = 200;
const answerLengthMax = 2_000;
const logoBytesMax = 200_000;
/** Four characters for three bytes. */
const logoLengthMax = Math.ceil(logoBytesMax / 3) * 4;

const contentFields = {
  description: textField(descriptionLengthMax, 0),
  accent_color: T.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Such as `#0d6475`; the page chooses black or white text for it' }),
  faq: T.Array(strictObject({ question: lineField(questionLengthMax), answer: textField(answerLengthMax) }), {
    maxItems: faqMax,
    description: 'Questions with answers. Answers and the description are in Markdown: paragraphs, lists, **bold**, *italic*, and links',
  }),
  is_listed: T.Boolean({ description: 'Whether search engines may list the page' }),
};

const pageJson = namedObject('ProgramPage', {
  url: T.String({ description: 'Not found until the program is published' }),
  ...contentFields,
  logo: orNull(T.Object({ type: T.String(), image_data: T.String({ description: 'The image in Base64' }) })),
});

async function showPage(db: Queryable, of: ProgramName, baseUrl: string): Promise<Static<typeof pageJson>> {
  const page = await findProgramPage(db, of);
  const logo = await findLogo(db, of);
  return {
    url: `${baseUrl}/p/${publicId('prog', of.programId)}`,
    description: page.description,
    accent_color: page.accentColor,
    faq: [...page.faq],
    is_listed: page.isListed,
    logo: logo && { type: logo.type, image_data: logo.bytes.toString('base64') },
  };
}

export const getProgramPageEndpoint = endpoint({
  summary: 'Get what a program’s public page shows beside its terms',
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  reply: pageJson,
  async handle({ db, ids, platform }) {
    const of = { storeId: ids.store, programId: ids.program };
    return (await findProgram(db, of)) === null ? notFound : showPage(db, of, platform.config.baseUrl);
  },
});

export const setProgramPageEndpoint = endpoint({
  summary: 'Set the description, color, and questions and answers of a program’s public page',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: strictObject(contentFields),
  reply: pageJson,
  audit: 'program.page',
  async handle({ db, ids, body, platform }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, of)) === null) return notFound;
    const { description, accent_color: color, faq, is_listed: isListed } = body;
    await upsertProgramPage(db, of, { description, accentColor: color.toLowerCase(), faq, isListed });
    return showPage(db, of, platform.config.baseUrl);
  },
});

export const setLogoEndpoint = endpoint({
  summary: 'Set the logo of a program’s public page: a PNG, JPEG, or WebP image of up to 200 kB',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: strictObject({
    image_data: T.String({ minLength: 1, maxLength: logoLengthMax, pattern: '^[A-Za-z0-9+/]+={0,2}$', description: 'The image in Base64' }),
  }),
  reply: pageJson,
  audit: 'program.logo',
  async handle({ db, ids, body, platform }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, of)) === null) return notFound;
    const bytes = Buffer.from(body.image_data, 'base64');
    const type = logoTypeOf(bytes);
    if (type === null)
      return refuse('unprocessable', apiMessage('program_page_api.logo_invalid_see_errors'), [
        { field: 'image_data', message: apiMessage('program_page_api.must_png_jpeg_or_webp') },
      ]);
    await upsertLogo(db, of, { type, bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 16) });
    return showPage(db, of, platform.config.baseUrl);
  },
});

export const removeLogoEndpoint = endpoint({
  summary: 'Remove the logo of a program’s public page',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  status: 204,
  audit: 'program.logo_remove',
  async handle({ db, ids }) {
    const of = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, of)) === null) return notFound;
    await deleteLogo(db, of);
    return undefined;
  },
});
