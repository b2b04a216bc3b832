import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { SessionWithPerson } from './sessions-sql.ts';

type Session = { readonly sessionId: Id<'sess'>; readonly now: Date; readonly seenSince: Date };

/** As `sessionByToken`, of a session that opened something before: by primary key. */
export const sessionInForce = (db: Queryable, { sessionId, now, seenSince }: Session): Promise<SessionWithPerson | null> =>
  db.find<SessionWithPerson>(sql`
    select session_id, user_id, name, is_operator, totp_confirmed_at is not null as has_second_factor, creator_id, proved_at, last_seen_at,
      (select coalesce(jsonb_agg(jsonb_build_object('storeId', store_id, 'role', role)), '[]'::jsonb)
       from store_roles where store_roles.user_id = users.user_id) as roles
    from sessions join users using (user_id)
    where session_id = ${sessionId} and expires_at > ${now} and last_seen_at > ${seenSince}`);
