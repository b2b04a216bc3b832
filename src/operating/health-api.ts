import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { realNow } from '../platform/time.ts';
import type { LastMinute } from '../platform/traffic.ts';
import { databaseFacts } from './health-sql.ts';

/** Of this process; others on the same database may have begun at another time. */
const startedAt = realNow();

const trafficJson = T.Object({
  count: T.Integer({ description: 'In the last minute' }),
  per_second: T.Number(),
  p50_ms: orNull(T.Number({ description: 'Half took at most this long; null: there was none' })),
  p99_ms: orNull(T.Number({ description: '99 of 100 did' })),
});
const hundredth = 100;
const showTraffic = ({ count, perSecond, p50Ms, p99Ms }: LastMinute): Static<typeof trafficJson> => ({
  count,
  per_second: Math.round(perSecond * hundredth) / hundredth,
  p50_ms: p50Ms,
  p99_ms: p99Ms,
});

export const readHealth = endpoint({
  summary: 'What runs here, on what: versions, the database, the clock',
  access: { who: 'operator' },
  reply: T.Object({
    mode: T.Enum(['sandbox', 'live']),
    now: T.String({ description: 'Business time' }),
    started_at: T.String({ description: 'Since when the process runs that answers, in real time' }),
    node: T.String(),
    traffic: T.Object(
      { postbacks: trafficJson, redirects: trafficJson },
      { description: 'Of the process that answers, in real time: postbacks with a known key, and links that were opened' },
    ),
    database: T.Object({ version: T.String(), bytes: T.Integer(), migrations: T.Integer(), newest_migration: T.String() }),
  }),
  async handle({ platform, db, now }) {
    const { postbacks, redirects } = platform.metrics.traffic;
    const { version, bytes, migrations, newestMigration } = await databaseFacts(db);
    return {
      mode: platform.config.mode,
      now: isoTime(now),
      started_at: isoTime(startedAt),
      node: process.version,
      traffic: { postbacks: showTraffic(postbacks.lastMinute()), redirects: showTraffic(redirects.lastMinute()) },
      database: { version, bytes: Number(bytes), migrations: Number(migrations), newest_migration: newestMigration },
    };
  },
});
