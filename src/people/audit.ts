import type { Queryable } from '../platform/database/database.ts';
import { newId, publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { addressHashOf } from './address-hash.ts';
import { insertAuditEntry, type NewAuditRow } from './audit-sql.ts';
import type { RequestFacts } from './endpoint.ts';

/** Who did what to what, kept for ever, in the transaction that did it. */
export type AuditEntry = Omit<NewAuditRow, 'auditEntryId'>;

export async function keepAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(db, { ...entry, auditEntryId: newId(entry.at), details: withoutSecrets(entry.details) });
}

/** What mount.ts cannot tell by itself: the person whom this very request signed in. */
export type PersonAudit = {
  readonly person: { readonly userId: Id<'user'>; readonly name: string };
  readonly action: string;
  readonly subject: string;
  readonly storeId?: Id<'store'> | null;
  readonly creatorId?: Id<'crt'> | null;
  readonly details?: Readonly<Record<string, unknown>>;
};

export async function keepPersonAudit(
  db: Queryable,
  { clock, secrets }: Platform,
  request: RequestFacts,
  told: PersonAudit,
): Promise<void> {
  await keepAudit(db, {
    at: clock.now(),
    actor: publicId('user', told.person.userId),
    actorName: told.person.name,
    storeId: told.storeId ?? null,
    creatorId: told.creatorId ?? null,
    action: told.action,
    subject: told.subject,
    details: told.details ?? {},
    requestId: request.id,
    addressHash: addressHashOf(secrets, request.address),
  });
}

const secretNames = /password|secret|token|code|key$|^destination$|^tax_id$|^customer_id$/i;
const depthMax = 8;

/** A body is told in the log without what must not be read there, nor what the database cannot write (NUL, half letters). */
export function withoutSecrets(value: unknown, depth = 0): unknown {
  if (depth > depthMax) return '…';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\u{fffd}');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, secretNames.test(name) ? '(not kept)' : withoutSecrets(held, depth + 1)]),
  );
}
