import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { PageInspector } from '../capture/page-inspector.ts';
import { createConcurrencyLimiter } from '../contract/concurrency-limiter.ts';
import { readDestination } from '../merchants/destination.ts';
import { listPrograms } from '../merchants/programs-sql.ts';
import { programsPerStoreMax } from '../merchants/programs.ts';
import { addressLengthMax } from '../merchants/site.ts';
import { findStore, lockStore, type Store } from '../merchants/stores-sql.ts';
import { endpoint, type Endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { orNull } from '../http/fields.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { hourMs, realNow } from '../core/time.ts';
import { pageCheckJson, showPageCheck } from './check-json.ts';
import { checksPerHourMax, decidePageCheck } from './decide-page-check.ts';
import { inspectLandingPage } from './inspect-landing-page.ts';
import { insertCheck, checksSince, saveCheckResult, deleteChecksBefore } from './page-checks-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

/** Each check keeps a page in memory until its server has sent it. */
const checksMax = 16;
const busy: Refusal = {
  ...refuse('too_many_requests', apiMessage('check_page_api.too_many_pages_being_checked')),
  retryAfterSeconds: 10,
};

/** The page is fetched between two transactions, so that no lock is held while another server responds. */
export const checkPage = (inspector: PageInspector): Endpoint => {
  const places = createConcurrencyLimiter(checksMax);
  return endpoint({
    summary: 'Fetch the landing page and check its script tag; one request at a time, ten per hour',
    access: { allow: 'store', permission: 'integration:write' },
    body: T.Object(
      {
        url: T.Optional(
          orNull(
            T.String({
              minLength: 1,
              maxLength: addressLengthMax,
              description: 'A page of the store; by default the landing page of a program',
            }),
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

async function check({ platform, inspector }: Checking, request: CheckRequest): Promise<Static<typeof pageCheckJson> | Refusal> {
  const begun = await begin(platform, request);
  if (isRefusal(begun)) return begun;
  const found = await inspectLandingPage({ config: platform.config, inspector }, request.pageUrl);
  const key = { storeId: request.storeId, checkId: begun };
  await saveCheckResult(platform.database, key, found);
  await deleteChecksBefore(platform.database, key, anHourAgo());
  return showPageCheck({ at: request.at, pageUrl: request.pageUrl, found });
}

const anHourAgo = (): Date => new Date(realNow().getTime() - hourMs);

/** The given page, else the landing page of a program (a published one first), else the site. */
async function pageOf(db: Queryable, { storeId, siteUrl }: Store, url: string | null): Promise<string | Refusal> {
  if (url === null) {
    const programs = await listPrograms(db, storeId, { after: null, limit: programsPerStoreMax });
    return (programs.find(({ status }) => status === 'published') ?? programs[0])?.landingUrl ?? siteUrl;
  }
  const page = readDestination(url, siteUrl);
  if (page.is === 'good') return page.href;
  return refuse('unprocessable', apiMessage('check_page_api.page_url_invalid_see_errors'), [{ field: 'url', message: page.message }]);
}

type CheckRequest = { readonly storeId: Id<'store'>; readonly at: Date; readonly pageUrl: string };

/** The lock serializes concurrent requests, so that the second one sees the first. */
function begin({ database }: Platform, { storeId, at, pageUrl }: CheckRequest): Promise<Id<'ichk'> | Refusal> {
  return database.transaction(async (tx) => {
    await lockStore(tx, storeId);
    const requestedAt = realNow();
    const decision = decidePageCheck(await checksSince(tx, storeId, anHourAgo()), requestedAt);
    if (decision.do === 'refuse') {
      const { why, waitSeconds: retryAfterSeconds } = decision;
      const message =
        why === 'under way'
          ? apiMessage('check_page_api.page_store_being_checked_right')
          : apiMessage('check_page_api.store_can_check_at_most', { checksPerHourMax });
      return {
        ...refuse('too_many_requests', apiMessage('check_page_api.try_again_s', { message, retryAfterSeconds })),
        retryAfterSeconds,
      };
    }
    const checkId = newId<'ichk'>(requestedAt);
    await insertCheck(tx, { storeId, checkId, at, requestedAt, pageUrl });
    return checkId;
  });
}
