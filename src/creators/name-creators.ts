import type { Why } from '../contract/why.ts';
import { readPublicId } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { creatorNames } from './creators-sql.ts';

/** Stored values name creators by their IDs. An explanation for the store names them as its other pages do. */
export async function loadCreatorNames(db: Queryable, whys: readonly Why[]): Promise<(why: Why) => Why> {
  const texts = whys.flatMap(({ attributed_to: owner, compared }) => [owner ?? '', compared?.creator_id ?? '']);
  const creatorIds = [...new Set(texts.flatMap((text) => readPublicId('crt', text) ?? []))];
  if (creatorIds.length === 0) return (why) => why;
  const names = await creatorNames(db, creatorIds);
  const nameOf = (text: string): string => {
    const creatorId = readPublicId('crt', text);
    return (creatorId && names.get(creatorId)) ?? text;
  };
  return (why) => ({
    ...why,
    ...(why.attributed_to !== undefined && { attributed_to: nameOf(why.attributed_to) }),
    ...(why.compared && { compared: { ...why.compared, creator_id: nameOf(why.compared.creator_id) } }),
  });
}
