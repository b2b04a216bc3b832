import type { Queryable, Transaction } from '../db/database.ts';
import { ints, sql, texts, timestamps } from '../db/sql.ts';
import type { Cents } from '../core/money.ts';
import type { MoneyOutcome } from './provider.ts';
import type { SandboxKind } from './sandbox-methods.ts';

export type StoredCall = { readonly contentHash: Buffer; readonly calls: number; readonly answer: MoneyOutcome | null };

type Call = { readonly key: string; readonly contentHash: Buffer; readonly now: Date; readonly forgottenUntil: Date };

/** Counts the calls with a key. Parallel calls with one key are serialized here, so that the second one gets the answer of the first. */
export async function countCall(tx: Transaction, { key, contentHash, now, forgottenUntil }: Call): Promise<StoredCall> {
  await tx.run(sql`delete from sandbox_keys where key = ${key} and first_at <= ${forgottenUntil}`);
  return tx.one(sql`
    insert into sandbox_keys (key, content_hash, calls, first_at) values (${key}, ${contentHash}, 1, ${now})
    on conflict (key) do update set calls = sandbox_keys.calls + 1
    returning content_hash, calls, answer`);
}

export async function saveAnswer(tx: Transaction, key: string, answer: MoneyOutcome): Promise<void> {
  await tx.run(sql`update sandbox_keys set answer = ${JSON.stringify(answer)}::jsonb where key = ${key}`);
}

export async function deleteOldKeys(db: Queryable, until: Date): Promise<void> {
  await db.run(sql`delete from sandbox_keys where first_at <= ${until}`);
}

export type Movement = {
  readonly providerId: string;
  readonly kind: SandboxKind;
  readonly reference: string;
  readonly amountCents: Cents;
  readonly status: 'pending' | 'succeeded' | 'declined';
  readonly code: string | null;
  readonly message: string | null;
};

const columns = sql`provider_id, kind, reference, amount_cents, status, code, message`;

type NewMovement = Movement & { readonly instrument: string; readonly madeAt: Date; readonly foundFromAt: Date };

export async function insertMovement(tx: Transaction, made: NewMovement): Promise<void> {
  await tx.run(sql`
    insert into sandbox_movements
      (provider_id, kind, reference, amount_cents, instrument, status, code, message, made_at, found_from_at)
    values (${made.providerId}, ${made.kind}, ${made.reference}, ${made.amountCents}, ${made.instrument}, ${made.status},
            ${made.code}, ${made.message}, ${made.madeAt}, ${made.foundFromAt})`);
}

export async function wasDeclined(tx: Transaction, instrument: string): Promise<boolean> {
  const { was } = await tx.one<{ was: boolean }>(sql`
    select exists (select 1 from sandbox_movements where instrument = ${instrument} and status = 'declined') as was`);
  return was;
}

/** Finds movements with a delay of some seconds, like the search of a real provider. */
export async function searchMovements(db: Queryable, kind: SandboxKind, reference: string, now: Date): Promise<readonly Movement[]> {
  return db.all(sql`
    select ${columns} from sandbox_movements where reference = ${reference} and kind = ${kind} and found_from_at <= ${now}`);
}

export async function findMovement(db: Queryable, kind: SandboxKind, providerId: string): Promise<Movement | null> {
  return db.find(sql`select ${columns} from sandbox_movements where provider_id = ${providerId} and kind = ${kind}`);
}

/** All movements without the search delay, for reconciliation. */
export async function allMovements(db: Queryable): Promise<readonly Movement[]> {
  return db.all(sql`select ${columns} from sandbox_movements order by made_at, provider_id`);
}

type End = { readonly status: 'succeeded' | 'declined'; readonly code: string | null; readonly message: string | null };

export async function endPending(tx: Transaction, reference: string, { status, code, message }: End): Promise<Movement | null> {
  return tx.find(sql`
    update sandbox_movements set status = ${status}, code = ${code}, message = ${message}
    where reference = ${reference} and status = 'pending' returning ${columns}`);
}

export type NewEvent = { readonly eventId: string; readonly copy: number; readonly body: string; readonly dueAt: Date };

export async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.run(sql`
    insert into sandbox_events (news_id, copy, body, due_at)
    select news_id, copy, body, due_at from unnest(
      ${texts(events.map(({ eventId }) => eventId))}, ${ints(events.map(({ copy }) => copy))},
      ${texts(events.map(({ body }) => body))}, ${timestamps(events.map(({ dueAt }) => dueAt))})
      as given (news_id, copy, body, due_at)`);
}

export type DueEvent = { readonly eventId: string; readonly copy: number; readonly body: string; readonly attempts: number };

type EventLease = { readonly now: Date; readonly againAt: Date; readonly attemptsMax: number; readonly limit: number };

type Work = { readonly now: Date; readonly attemptsMax: number; readonly keysUntil: Date; readonly sentUntil: Date };

/** Reads only the ends of three indexes, because there is usually nothing to send or delete. */
export async function hasSandboxWork(db: Queryable, { now, attemptsMax, keysUntil, sentUntil }: Work): Promise<boolean> {
  const { hasWork } = await db.one<{ hasWork: boolean }>(sql`
    select exists (select 1 from sandbox_events where sent_at is null and due_at <= ${now} and attempts < ${attemptsMax})
      or exists (select 1 from sandbox_keys where first_at <= ${keysUntil})
      or exists (select 1 from sandbox_events where sent_at <= ${sentUntil}) as has_work`);
  return hasWork;
}

/** The time of the next event to send; null if there is none. By the index sandbox_events_due. */
export async function earliestEvent(db: Queryable, attemptsMax: number): Promise<Date | null> {
  const row = await db.find<{ dueAt: Date }>(sql`
    select due_at from sandbox_events where sent_at is null and attempts < ${attemptsMax} order by due_at limit 1`);
  return row?.dueAt ?? null;
}

/**
 * Takes the due events, the oldest first, and postpones them, so that no other process takes them too. A process skips the events that
 * another one is taking: waiting for them could end in a deadlock.
 */
export async function takeDueEvents(db: Queryable, { now, againAt, attemptsMax, limit }: EventLease): Promise<readonly DueEvent[]> {
  const taken = await db.all<DueEvent & { dueAt: Date }>(sql`
    with due as (
      select news_id, copy, due_at from sandbox_events
      where sent_at is null and due_at <= ${now} and attempts < ${attemptsMax}
      order by due_at, news_id, copy limit ${limit} for update skip locked)
    update sandbox_events set attempts = attempts + 1, due_at = ${againAt}
    from due where sandbox_events.news_id = due.news_id and sandbox_events.copy = due.copy
    returning sandbox_events.news_id as event_id, sandbox_events.copy, sandbox_events.body, sandbox_events.attempts, due.due_at`);
  return taken.sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime() || one.copy - other.copy);
}

export async function markSent(db: Queryable, { eventId, copy }: Pick<DueEvent, 'eventId' | 'copy'>, now: Date): Promise<void> {
  await db.run(sql`update sandbox_events set sent_at = ${now} where news_id = ${eventId} and copy = ${copy}`);
}

export async function postponeEvent(db: Queryable, { eventId, copy }: DueEvent, to: Date): Promise<void> {
  await db.run(sql`
    update sandbox_events set due_at = ${to} where news_id = ${eventId} and copy = ${copy} and sent_at is null`);
}

/** The event was not sent, so the attempt does not count. */
export async function releaseEvent(db: Queryable, { eventId, copy }: DueEvent): Promise<void> {
  await db.run(sql`
    update sandbox_events set attempts = attempts - 1 where news_id = ${eventId} and copy = ${copy} and sent_at is null`);
}

export async function deleteSentEvents(db: Queryable, until: Date): Promise<void> {
  await db.run(sql`delete from sandbox_events where sent_at <= ${until}`);
}
