import { Type as T, type Static } from 'typebox';
import type { PageInspector } from '../capture/page-inspector.ts';
import { openPlaces } from '../contract/places.ts';
import { readDestination } from '../merchants/destination.ts';
import { listPrograms } from '../merchants/programs-sql.ts';
import { programsPerStoreMax } from '../merchants/programs.ts';
import { addressLengthMax } from '../merchants/site.ts';
import { findStore, lockStore, type Store } from '../merchants/stores-sql.ts';
import { endpoint, type Endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { orNull } from '../platform/http/fields.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { hourMs, realNow } from '../platform/time.ts';
import { pageCheckJson, showPageCheck } from './check-json.ts';
import { checksPerHourMax, decideCheck } from './decide-check.ts';
import { lookAtPage } from './look-at-page.ts';
import { beginCheck, checksSince, endCheck, forgetChecksBefore } from './page-checks-sql.ts';

/** Each holds a page in memory for as long as its server takes to send it. */
const checksMax = 16;
const busy: Refusal = {
  ...refuse('too_many_requests', 'Too many pages are being checked right now. Try again in 10 s.'),
  retryAfterSeconds: 10,
};

/** The page is fetched between two transactions, so no lock is held while a stranger's server answers. */
export const checkPage = (inspector: PageInspector): Endpoint => {
  const places = openPlaces(checksMax);
  return endpoint({
    summary: 'Fetch the landing page and look for the script tag; one at a time, ten an hour',
    access: { who: 'store', permission: 'integration:write' },
    body: T.Object(
      {
        url: T.Optional(
          orNull(
            T.String({ minLength: 1, maxLength: addressLengthMax, description: 'A page of the store; the landing page of a program' }),
          ),
        ),
      },
      { additionalProperties: false },
    ),
    reply: pageCheckJson,
    inTransaction: false,
    async handle({ platform, db, ids, body, now }) {
      const store = await findStore(db, ids.store);
      if (store === null) return notFound;
      const page = await pageOf(db, store, body.url ?? null);
      if (isRefusal(page)) return page;
      const giveBack = places.take(ids.store);
      if (giveBack === null) return busy;
      try {
        return await check({ platform, inspector }, { storeId: ids.store, at: now, pageUrl: page });
      } finally {
        giveBack();
      }
    },
  });
};

type Checking = { readonly platform: Platform; readonly inspector: PageInspector };

async function check({ platform, inspector }: Checking, asked: Asked): Promise<Static<typeof pageCheckJson> | Refusal> {
  const begun = await begin(platform, asked);
  if (isRefusal(begun)) return begun;
  const found = await lookAtPage({ config: platform.config, inspector }, asked.pageUrl);
  const key = { storeId: asked.storeId, checkId: begun };
  await endCheck(platform.database, key, found);
  await forgetChecksBefore(platform.database, key, anHourAgo());
  return showPageCheck({ at: asked.at, pageUrl: asked.pageUrl, found });
}

const anHourAgo = (): Date => new Date(realNow().getTime() - hourMs);

/** The page that is named; else where the links of a program lead, rather of one that is published; else the site itself. */
async function pageOf(db: Queryable, { storeId, siteUrl }: Store, url: string | null): Promise<string | Refusal> {
  if (url === null) {
    const programs = await listPrograms(db, storeId, { after: null, limit: programsPerStoreMax });
    return (programs.find(({ status }) => status === 'published') ?? programs[0])?.landingUrl ?? siteUrl;
  }
  const page = readDestination(url, siteUrl);
  if (page.is === 'good') return page.href;
  return refuse('unprocessable', 'The page is not right; see errors.', [{ field: 'url', message: page.message }]);
}

type Asked = { readonly storeId: Id<'store'>; readonly at: Date; readonly pageUrl: string };

/** Two who ask at once go one after the other, so that the second sees the first. */
function begin({ database }: Platform, { storeId, at, pageUrl }: Asked): Promise<Id<'ichk'> | Refusal> {
  return database.transaction(async (tx) => {
    await lockStore(tx, storeId);
    const askedAt = realNow();
    const decision = decideCheck(await checksSince(tx, storeId, anHourAgo()), askedAt);
    if (decision.do === 'refuse') {
      const { why, waitSeconds: retryAfterSeconds } = decision;
      const message = why === 'under way' ? 'A page is being looked at just now.' : `At most ${checksPerHourMax} pages an hour.`;
      return { ...refuse('too_many_requests', `${message} Try again in ${retryAfterSeconds} s.`), retryAfterSeconds };
    }
    const checkId = newId<'ichk'>(askedAt);
    await beginCheck(tx, { storeId, checkId, at, askedAt, pageUrl });
    return checkId;
  });
}
