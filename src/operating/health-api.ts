import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isoTime } from '../platform/http/fields.ts';
import { realNow } from '../platform/time.ts';
import { databaseFacts } from './health-sql.ts';

/** Of this process; others on the same database may have begun at another time. */
const startedAt = realNow();

export const readHealth = endpoint({
  summary: 'What runs here, on what: versions, the database, the clock',
  access: { who: 'operator' },
  reply: T.Object({
    mode: T.Enum(['sandbox', 'live']),
    now: T.String({ description: 'Business time' }),
    started_at: T.String({ description: 'Since when the process runs that answers, in real time' }),
    node: T.String(),
    database: T.Object({ version: T.String(), bytes: T.Integer(), migrations: T.Integer(), newest_migration: T.String() }),
  }),
  async handle({ platform, db, now }) {
    const { version, bytes, migrations, newestMigration } = await databaseFacts(db);
    return {
      mode: platform.config.mode,
      now: isoTime(now),
      started_at: isoTime(startedAt),
      node: process.version,
      database: { version, bytes: Number(bytes), migrations: Number(migrations), newest_migration: newestMigration },
    };
  },
});
