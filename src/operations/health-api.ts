import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
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
  p50_ms: orNull(T.Number({ description: 'The median; null without requests' })),
  p99_ms: orNull(T.Number({ description: 'The 99th percentile' })),
});
const hundredth = 100;
const showRequestRate = ({ count, perSecond, p50Ms, p99Ms }: LastMinute): Static<typeof requestRateJson> => ({
  count,
  per_second: Math.round(perSecond * hundredth) / hundredth,
  p50_ms: p50Ms,
  p99_ms: p99Ms,
});

export const readHealth = endpoint({
  summary: 'Get the versions, the database, and the clock of this installation',
  access: { allow: 'operator' },
  reply: namedObject('Health', {
    mode: T.Enum(['sandbox', 'live']),
    now: T.String({ description: 'Business time' }),
    started_at: T.String({ description: 'When the responding process started, in real time' }),
    node: T.String(),
    traffic: T.Object(
      { postbacks: requestRateJson, redirects: requestRateJson },
      { description: 'For the responding process, in real time: postbacks with a valid key, and link visits' },
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
