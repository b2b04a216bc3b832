import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { userById } from '../people/users-sql.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { nameField } from '../platform/http/fields.ts';
import { becomeCreator } from './become.ts';
import { creatorJson, creatorNameLengthMax, shownCreator } from './creators-api.ts';

/** The person's own address is the creator's: it was proved when they signed up. */
export const becomeCreatorEndpoint = endpoint({
  summary: 'Become a creator, as the person who is signed in; in the sandbox with a payout method that works',
  access: { who: 'person' },
  body: T.Object({ name: T.Optional(nameField(creatorNameLengthMax)) }, { additionalProperties: false }),
  reply: creatorJson,
  status: 201,
  audit: 'creator.become',
  async handle({ platform, db, identity, body, now }) {
    const { userId } = identity.by;
    const person = await userById(db, userId);
    const sandboxMethod = platform.config.mode === 'sandbox' ? 'ok' : null;
    const creator = await becomeCreator(db, { userId, name: body.name ?? person.name, email: person.email, sandboxMethod, at: now });
    return isRefusal(creator) ? creator : shownCreator(db, creator);
  },
});
