import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import { notFound, refuse } from '../http/responses.ts';
import { isCountryCode } from '../core/countries.ts';
import { isoTime, namedObject, nameField, orNull } from '../http/fields.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { findTaxDetails, findSealedTaxId, saveTaxDetails, updateTaxName, type TaxDetails } from './tax-details-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const legalNameLengthMax = 200;
const taxIdLength = { least: 4, most: 40 };

const taxJson = namedObject('TaxDetails', {
  country: T.String(),
  legal_name: T.String(),
  tax_id_last4: T.String({ description: 'The last 4 characters; the full ID is encrypted, and operators request it separately' }),
  changed_at: T.String(),
});
const replyJson = T.Object({ tax_details: orNull(taxJson) });

const show = (details: TaxDetails | null): Static<typeof replyJson> => ({
  tax_details: details && {
    country: details.country,
    legal_name: details.legalName,
    tax_id_last4: details.taxIdLast4,
    changed_at: isoTime(details.changedAt),
  },
});

export const getTaxDetailsEndpoint = endpoint({
  summary: "Get a creator's tax details, with the last characters of the tax ID only",
  access: { allow: 'creator', permission: 'creator:read' },
  reply: replyJson,
  handle: async ({ db, ids }) => show(await findTaxDetails(db, ids.creator)),
});

export const setTaxDetailsEndpoint = endpoint({
  summary: 'Set the tax details; the tax ID is encrypted at rest, and stays as it is if omitted',
  access: { allow: 'creator', permission: 'creator:write' },
  proof: true,
  body: T.Object(
    {
      country: T.String({ pattern: '^[A-Z]{2}$', description: 'An assigned code of ISO 3166-1 alpha-2, such as DE' }),
      legal_name: nameField(legalNameLengthMax),
      tax_id: T.Optional(
        T.String({
          minLength: taxIdLength.least,
          maxLength: taxIdLength.most,
          pattern: String.raw`^(?=(.*[A-Za-z0-9]){4})[A-Za-z0-9 ./-]+$`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: replyJson,
  audit: 'tax_details.set',
  async handle({ platform, db, ids, body, now }) {
    if (!isCountryCode(body.country)) return invalidCountry;
    const named = { creatorId: ids.creator, country: body.country, legalName: body.legal_name, changedAt: now };
    if (body.tax_id !== undefined) {
      const taxIdSealed = platform.secrets.seal(Buffer.from(body.tax_id), boundTo(ids.creator));
      return show(await saveTaxDetails(db, { ...named, taxIdSealed, taxIdLast4: lastCharacters(body.tax_id) }));
    }
    const kept = await updateTaxName(db, named);
    if (kept !== null) return show(kept);
    return refuse('invalid_request', apiMessage('shared.body_invalid'), [
      { field: 'tax_id', message: apiMessage('tax_details_api.required_first_time') },
    ]);
  },
});

/** For tax reports. Each access is recorded in the audit log. */
export const openTaxIdEndpoint = endpoint({
  summary: "Get a creator's full tax ID for required reports; recorded in the audit log",
  access: { allow: 'operator', of: 'creator' },
  proof: true,
  ids: { creator: 'crt' },
  reply: T.Object({ tax_id: T.String() }),
  audit: 'tax_id.opened',
  async handle({ platform, db, ids }) {
    const taxIdSealed = await findSealedTaxId(db, ids.creator);
    if (taxIdSealed === null) return notFound;
    return { tax_id: openTaxId(platform.secrets, ids.creator, taxIdSealed) };
  },
});

export const openTaxId = (secrets: Secrets, creatorId: Id<'crt'>, sealed: Buffer): string =>
  secrets.open(sealed, boundTo(creatorId)).toString('utf8');

const invalidCountry = refuse('invalid_request', apiMessage('shared.body_invalid'), [
  { field: 'country', message: apiMessage('tax_details_api.must_two_character_country_code_iso') },
]);

const shownCharacters = 4;
const lastCharacters = (taxId: string): string => taxId.replace(/[^A-Za-z0-9]/g, '').slice(-shownCharacters);
const boundTo = (creatorId: string): string => `tax id of ${creatorId}`;

export const sealedTaxIds: SealedColumn = {
  table: 'creator_tax',
  column: 'tax_id_sealed',
  holds: 'bytes',
  key: [{ name: 'creator_id', type: 'uuid' }],
  boundTo: ([creatorId = '']) => boundTo(creatorId),
};
