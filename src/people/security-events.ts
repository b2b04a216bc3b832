import type { FastifyRequest } from 'fastify';
import type { ApiReason, Refusal, SecurityEvent } from '../http/responses.ts';
import { readTraceId } from '../http/request-log.ts';
import { publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import type { Access } from './decide-access.ts';
import { hashAddress } from './address-hash.ts';
import { readSessionToken } from './cookie.ts';
import { isPerson, type Identity } from './identity.ts';

/** A `not_found` is an event only where access was refused: `authorize` in request-pipeline.ts marks it. */
const eventOfReason: Readonly<Partial<Record<ApiReason, SecurityEvent>>> = {
  wrong_email_or_password: 'sign_in_failed',
  wrong_code: 'second_factor_failed',
  link_used_or_expired: 'one_time_link_refused',
  too_many_requests: 'attempts_limited',
  not_signed_in: 'access_refused',
  cross_site_request: 'access_refused',
  permission_missing: 'access_refused',
  operator_only: 'access_refused',
  proof_required: 'access_refused',
  person_required: 'access_refused',
  second_factor_setup_required: 'access_refused',
};

type RefusedRequest = {
  readonly request: FastifyRequest;
  readonly access: Access;
  readonly identity: Identity | null;
  readonly refusal: Refusal;
};

/**
 * One line for each failed authentication and each refused access, logged where the decision is made (OWASP ASVS 16.3.1, 16.3.2). It never
 * contains user input, not even the address, because people type their password into the wrong field. The address hash matches the audit
 * log's, so that the two can be compared within a day.
 */
export function logSecurityEvent({ log, secrets, config }: Platform, { request, access, identity, refusal }: RefusedRequest): void {
  const { reason, security } = refusal;
  const event = security?.event ?? eventOfReason[reason];
  if (event === undefined || event === 'none') return;
  const credential = credentialOf(request, config.baseUrl);
  // Every page first requests the current session; without a credential nothing was attempted.
  if (reason === 'not_signed_in' && credential === 'none' && access.allow === 'signed in' && request.method === 'GET') return;
  const person = identity !== null && isPerson(identity) ? identity.by.userId : null;
  const userId = security?.userId ?? person;
  const { id: requestId, method, routeOptions, headers, ip } = request;
  log.warn(
    {
      event,
      reason,
      requestId,
      ...readTraceId(headers),
      method,
      route: routeOptions.url ?? '',
      actor: identity?.actor ?? null,
      user: userId && publicId('user', userId),
      credential,
      addressHash: hashAddress(secrets, ip).toString('hex'),
    },
    'security event',
  );
}

function credentialOf({ headers }: FastifyRequest, baseUrl: string): 'key' | 'session' | 'none' {
  if (headers.authorization !== undefined) return 'key';
  return readSessionToken(baseUrl, headers.cookie) === null ? 'none' : 'session';
}
