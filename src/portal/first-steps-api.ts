import { Type as T } from 'typebox';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { findPayoutMethod } from '../creators/payout-methods-sql.ts';
import { namedObject } from '../http/fields.ts';
import { endpoint } from '../people/endpoint.ts';
import { hasClick, hasLink, hasSale, isMemberSomewhere } from './first-steps-sql.ts';

export const firstStepsEndpoint = endpoint({
  summary: 'Get which first steps a creator has done',
  access: { allow: 'creator', permission: 'creator:read' },
  reply: namedObject('FirstSteps', {
    payout_method: T.Boolean({ description: 'A payout method is set' }),
    program: T.Boolean({ description: 'A member of a program, approved by its merchant' }),
    link: T.Boolean({ description: 'A link was created' }),
    click: T.Boolean({ description: 'A person clicked one of the links' }),
    sale: T.Boolean({ description: 'There was a commission, of whatever state' }),
  }),
  async handle({ db, ids: { creator: creatorId } }) {
    const of = { creatorId, storeIds: await listStoresOfCreator(db, creatorId) };
    return {
      payout_method: (await findPayoutMethod(db, creatorId)) !== null,
      program: await isMemberSomewhere(db, of),
      link: await hasLink(db, of),
      click: await hasClick(db, of),
      sale: await hasSale(db, of),
    };
  },
});
