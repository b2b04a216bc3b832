import type { Queryable } from '../db/database.ts';
import { newId, publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { hashAddress } from './address-hash.ts';
import type { AuditAction } from './audit-actions.ts';
import { insertAuditEntry, type NewAuditRow } from './audit-sql.ts';
import { type RequestFacts } from './endpoint.ts';
import type { User } from './users-sql.ts';
import type { Identity } from './identity.ts';

/** An audit entry is written in the transaction that it describes, and is never deleted. */
export type AuditEntry = Omit<NewAuditRow, 'auditEntryId' | 'action'> & { readonly action: AuditAction };

export async function recordAuditEntry(db: Queryable, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(db, { ...entry, auditEntryId: newId(entry.at), details: redactSecrets(entry.details) });
}

/** For a request that signs a person in, before request-pipeline.ts knows the identity. */
export type PersonAuditEntry = {
  readonly person: { readonly userId: Id<'user'>; readonly name: string };
  readonly action: AuditAction;
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

/** The actor of a change, for the audit entries of its consequences. */
export type AuditActor = Pick<AuditEntry, 'at' | 'actor' | 'actorName' | 'requestId' | 'addressHash'>;

type AuditedRequest = { readonly platform: Platform; readonly now: Date; readonly identity: Identity; readonly request: RequestFacts };
export const auditActorOf = ({ platform, now, identity, request }: AuditedRequest): AuditActor => ({
  at: now,
  actor: identity.actor,
  actorName: identity.name,
  requestId: request.id,
  addressHash: hashAddress(platform.secrets, request.address),
});

/** For requests without a session: the owner of the link or password. */
export const auditActorOfUser = ({ clock, secrets }: Platform, { userId, name }: User, request: RequestFacts): AuditActor => ({
  at: clock.now(),
  actor: publicId('user', userId),
  actorName: name,
  requestId: request.id,
  addressHash: hashAddress(secrets, request.address),
});

/** Also images, which would fill the audit log. */
const secretNames = /password|secret|token|code|key$|^destination$|^tax_id$|^customer_id$|^image_data$/i;
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
