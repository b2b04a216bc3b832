import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, nameField, orNull, searchField } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { getUser } from '../people/users-sql.ts';
import { creatorSorts, findCreator, listCreators, setCreatorName, setPayoutMinimum, type Creator } from './creators-sql.ts';
import { becomeCreator, createCreator } from './create-creator.ts';
import { findPayoutMethod, listPayoutMethods, type PayoutMethod } from './payout-methods-sql.ts';
import { setPayoutMethod, type Destination, type HasEarned } from './payout-methods.ts';
import { findResponsibleUser } from '../people/identify.ts';
import { pageFields, sortField } from '../http/page.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

export const creatorNameLengthMax = 200;
const emailLengthMax = 254;

export const payoutMethodJson = namedObject('PayoutMethod', {
  provider: T.Enum(['sandbox', 'stripe', 'manual']),
  sandbox: orNull(T.String()),
  last4: orNull(T.String({ description: 'The last characters of the account for manual payouts' })),
  since: T.String(),
  usable_from: T.String(),
  came_back_at: orNull(T.String()),
});

export const creatorJson = namedObject('Creator', {
  id: T.String(),
  name: T.String(),
  email: T.String(),
  status: T.Union([T.Literal('active'), T.Literal('suspended')]),
  suspended_at: orNull(T.String()),
  suspension_reason: orNull(T.String({ description: 'The reason of the suspension, if one was given' })),
  payout_method: orNull(payoutMethodJson),
  payout_minimum_cents: orNull(centsField("The creator's own payout minimum, if it is higher than the operator's")),
  created_at: T.String(),
});

export const showMethod = ({ provider, instrument, last4, madeAt, usableFrom, cameBackAt }: PayoutMethod) => ({
  provider,
  sandbox: provider === 'sandbox' ? instrument : null,
  last4,
  since: isoTime(madeAt),
  usable_from: isoTime(usableFrom),
  came_back_at: isoTimeOrNull(cameBackAt),
});

const showCreator = (creator: Creator, method: PayoutMethod | null): Static<typeof creatorJson> => ({
  id: publicId('crt', creator.creatorId),
  name: creator.name,
  email: creator.email,
  status: creator.suspendedAt === null ? 'active' : 'suspended',
  suspended_at: isoTimeOrNull(creator.suspendedAt),
  suspension_reason: creator.suspensionReason,
  payout_method: method === null ? null : showMethod(method),
  payout_minimum_cents: creator.payoutMinimumCents,
  created_at: isoTime(creator.createdAt),
});

export async function renderCreator(db: Queryable, creator: Creator | null): Promise<Static<typeof creatorJson> | Refusal> {
  return creator === null ? notFound : showCreator(creator, await findPayoutMethod(db, creator.creatorId));
}

export const createCreatorEndpoint = endpoint({
  summary: 'Create a creator; in the sandbox with a working payout method',
  access: { allow: 'operator' },
  body: T.Object(
    { name: nameField(creatorNameLengthMax), email: T.String({ maxLength: emailLengthMax, format: 'email' }) },
    { additionalProperties: false },
  ),
  reply: creatorJson,
  status: 201,
  audit: 'creator.create',
  async handle({ platform, db, body, now }) {
    const sandboxMethod = platform.config.mode === 'sandbox' ? 'ok' : null;
    return renderCreator(db, await createCreator(db, { name: body.name, email: body.email, sandboxMethod, at: now }));
  },
});

export const listCreatorsEndpoint = sortedListEndpoint({
  summary: 'List all creators, newest first',
  access: { allow: 'operator' },
  query: T.Object(
    { ...pageFields, q: searchField('A part of the name or of the email address, ignoring case, or the ID'), ...sortField(creatorSorts) },
    { additionalProperties: false },
  ),
  item: creatorJson,
  readFilter: ({ query: { q } }) => q ?? null,
  rows: ({ db, filter: search }, page) => listCreators(db, { ...page, search }),
  async renderer({ db }, creators) {
    const methods = await listPayoutMethods(
      db,
      creators.map(({ creatorId }) => creatorId),
    );
    return (creator) => showCreator(creator, methods.get(creator.creatorId) ?? null);
  },
  sorts: creatorSorts,
});

export const getCreatorEndpoint = endpoint({
  summary: 'Get a creator',
  access: { allow: 'creator', permission: 'creator:read' },
  reply: creatorJson,
  handle: async ({ db, ids }) => renderCreator(db, await findCreator(db, ids.creator)),
});

export const changeCreatorEndpoint = endpoint({
  summary: "Change a creator's name, as merchants see it",
  access: { allow: 'creator', permission: 'creator:write' },
  body: T.Object({ name: nameField(creatorNameLengthMax) }, { additionalProperties: false }),
  reply: creatorJson,
  audit: 'creator.change',
  handle: async ({ db, ids, body }) => renderCreator(db, await setCreatorName(db, { creatorId: ids.creator, name: body.name })),
});

const sandboxOutcomes = T.Union([T.Literal('ok'), T.Literal('declined'), T.Literal('timeout_then_ok'), T.Literal('returned')]);

const accountLength = { least: 6, most: 140 };
const setMethodBody = T.Object(
  {
    sandbox: T.Optional(sandboxOutcomes),
    manual: T.Optional(
      T.Object(
        {
          destination: T.String({
            minLength: accountLength.least,
            maxLength: accountLength.most,
            pattern: String.raw`^(?=(.*[\p{L}\p{N}]){4})[^\p{Cc}\p{Cs}]+$`,
            description: 'The account for manual payouts, such as an IBAN; encrypted at rest',
          }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const setPayoutMethodEndpoint = (hasEarned: HasEarned) =>
  endpoint({
    summary: "Set a creator's payout method; payouts start after 72 hours if anything was earned or the method changed",
    access: { allow: 'creator', permission: 'creator:write' },
    proof: true,
    body: setMethodBody,
    reply: T.Object({ payout_method: payoutMethodJson }),
    audit: 'payout_method.set',
    async handle({ platform, db, identity, ids, body, now }) {
      const to = parseDestination(body);
      if (to === null) {
        const message = 'or manual is required, but not both';
        return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'sandbox', message }]);
      }
      if ('sandbox' in to && platform.config.mode === 'live')
        return refuse('unprocessable', apiMessage('creators_api.installation_live_mode_where_sandbox'));
      const setting = {
        creatorId: ids.creator,
        to,
        at: now,
        hasEarned: await hasEarned(db, ids.creator),
        setBy: await findResponsibleUser(db, identity),
      };
      return { payout_method: showMethod(await setPayoutMethod(db, platform.secrets, setting)) };
    },
  });

function parseDestination({ sandbox, manual }: Static<typeof setMethodBody>): Destination | null {
  if (sandbox !== undefined && manual === undefined) return { sandbox };
  return sandbox === undefined && manual !== undefined ? { manual: manual.destination } : null;
}

const payoutMinimumCentsMax = 100_000_000;

export const setPayoutMinimumEndpoint = endpoint({
  summary: "Set the creator's own payout minimum, if it is higher than the operator's; null removes it",
  access: { allow: 'creator', permission: 'creator:write' },
  body: T.Object({ minimum_cents: orNull(T.Integer({ minimum: 0, maximum: payoutMinimumCentsMax })) }, { additionalProperties: false }),
  reply: creatorJson,
  audit: 'payout_minimum.set',
  handle: async ({ db, ids, body: { minimum_cents: minimum } }) =>
    renderCreator(db, await setPayoutMinimum(db, { creatorId: ids.creator, minimum: minimum === null ? null : cents(minimum) })),
});

/** The creator gets the person's email address, which was verified at sign-up. */
export const becomeCreatorEndpoint = endpoint({
  summary: 'Create a creator profile for the signed-in user; in the sandbox with a working payout method',
  access: { allow: 'person' },
  body: T.Object({ name: T.Optional(nameField(creatorNameLengthMax)) }, { additionalProperties: false }),
  reply: creatorJson,
  status: 201,
  audit: 'creator.become',
  async handle({ platform, db, identity, body, now }) {
    const { userId } = identity.by;
    const person = await getUser(db, userId);
    const sandboxMethod = platform.config.mode === 'sandbox' ? 'ok' : null;
    const creator = await becomeCreator(db, { userId, name: body.name ?? person.name, email: person.email, sandboxMethod, at: now });
    return isRefusal(creator) ? creator : renderCreator(db, creator);
  },
});
