import type { Queryable } from '../db/database.ts';
import { newId, publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { hashAddress } from './address-hash.ts';
import { insertAuditEntry, type NewAuditRow } from './audit-sql.ts';
import type { RequestFacts } from './endpoint.ts';

/** An audit entry is written in the transaction that it describes, and is never deleted. */
export type AuditEntry = Omit<NewAuditRow, 'auditEntryId'>;

export async function recordAuditEntry(db: Queryable, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(db, { ...entry, auditEntryId: newId(entry.at), details: redactSecrets(entry.details) });
}

/** For a request that signs a person in, before request-pipeline.ts knows the identity. */
export type PersonAuditEntry = {
  readonly person: { readonly userId: Id<'user'>; readonly name: string };
  readonly action: string;
  readonly subject: string;
  readonly storeId?: Id<'store'> | null;
  readonly creatorId?: Id<'crt'> | null;
  readonly details?: Readonly<Record<string, unknown>>;
};

export async function recordPersonAuditEntry(
  db: Queryable,
  { clock, secrets }: Platform,
  request: RequestFacts,
  entry: PersonAuditEntry,
): Promise<void> {
  await recordAuditEntry(db, {
    at: clock.now(),
    actor: publicId('user', entry.person.userId),
    actorName: entry.person.name,
    storeId: entry.storeId ?? null,
    creatorId: entry.creatorId ?? null,
    action: entry.action,
    subject: entry.subject,
    details: entry.details ?? {},
    requestId: request.id,
    addressHash: hashAddress(secrets, request.address),
  });
}

const secretNames = /password|secret|token|code|key$|^destination$|^tax_id$|^customer_id$/i;
const depthMax = 8;

/** Removes secrets from a request body, and characters that PostgreSQL cannot store (NUL, unpaired surrogates). */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (depth > depthMax) return '…';
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1));
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\u{fffd}');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, secretNames.test(name) ? '(not kept)' : redactSecrets(held, depth + 1)]),
  );
}
