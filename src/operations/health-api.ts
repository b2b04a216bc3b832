import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { realNow } from '../core/time.ts';
import type { LastMinute } from '../core/request-rate.ts';
import { readDatabaseFacts } from './health-sql.ts';

/** Of this process; others on the same database may have begun at another time. */
const startedAt = realNow();

const requestRateJson = namedObject('RequestRate', {
  count: T.Integer({ description: 'In the last minute' }),
  per_second: T.Number(),
  p50_ms: orNull(T.Number({ description: 'Half took at most this long; null: there was none' })),
  p99_ms: orNull(T.Number({ description: '99 of 100 did' })),
});
const hundredth = 100;
const showRequestRate = ({ count, perSecond, p50Ms, p99Ms }: LastMinute): Static<typeof requestRateJson> => ({
  count,
  per_second: Math.round(perSecond * hundredth) / hundredth,
  p50_ms: p50Ms,
  p99_ms: p99Ms,
});

export const readHealth = endpoint({
  summary: 'What runs here, on what: versions, the database, the clock',
  access: { allow: 'operator' },
  reply: namedObject('Health', {
    mode: T.Enum(['sandbox', 'live']),
    now: T.String({ description: 'Business time' }),
    started_at: T.String({ description: 'Since when the process runs that answers, in real time' }),
    node: T.String(),
    traffic: T.Object(
      { postbacks: requestRateJson, redirects: requestRateJson },
      { description: 'Of the process that answers, in real time: postbacks with a known key, and links that were opened' },
    ),
    database: T.Object({ version: T.String(), bytes: T.Integer(), migrations: T.Integer(), newest_migration: T.String() }),
  }),
  async handle({ platform, db, now }) {
    const { postbacks, redirects } = platform.metrics.requestRates;
    const { version, bytes, migrations, newestMigration } = await readDatabaseFacts(db);
    return {
      mode: platform.config.mode,
      now: isoTime(now),
      started_at: isoTime(startedAt),
      node: process.version,
      traffic: { postbacks: showRequestRate(postbacks.lastMinute()), redirects: showRequestRate(redirects.lastMinute()) },
      database: { version, bytes: Number(bytes), migrations: Number(migrations), newest_migration: newestMigration },
    };
  },
});
