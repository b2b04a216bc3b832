import { Type as T } from 'typebox';
import { findCreator } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { notFound } from '../http/responses.ts';
import { publicId } from '../core/ids.ts';

const access = { allow: 'operator' } as const;
const reply = T.Object({ id: T.String(), name: T.String() });
const audit = 'operator.viewed';

/** An operator may read all of it anyway. This says so beforehand, where the store's own people read it. */
export const viewStore = endpoint({
  summary: "Start to view a store's dashboard as its team sees it; recorded in the store's audit log",
  access,
  ids: { store: 'store' },
  reply,
  audit,
  async handle({ db, ids }) {
    const store = await findStore(db, ids.store);
    return store === null ? notFound : { id: publicId('store', store.storeId), name: store.name };
  },
});

export const viewCreator = endpoint({
  summary: "Start to view a creator's portal as the creator sees it; recorded in the audit log",
  access,
  ids: { creator: 'crt' },
  reply,
  audit,
  async handle({ db, ids }) {
    const creator = await findCreator(db, ids.creator);
    return creator === null ? notFound : { id: publicId('crt', creator.creatorId), name: creator.name };
  },
});
