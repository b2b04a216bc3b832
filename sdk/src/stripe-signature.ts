import { createHmac, timingSafeEqual } from 'node:crypto';

type Signed = {
  /** The body as it came, byte for byte: one that was parsed and written again has another signature. */
  readonly raw: string | Uint8Array;
  /** The header `Stripe-Signature`. */
  readonly header: string;
  /** Several while a secret is being changed. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
  readonly toleranceSeconds: number;
};

/** Whether Stripe signed these bytes, and lately: an old request that somebody kept must not work again. */
export function isSignedByStripe({ raw, header, secrets, nowMs, toleranceSeconds }: Signed): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
  const [time = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1_000 - Number(time)) > toleranceSeconds) return false;
  const wanted = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.`).update(raw).digest());
  return valuesOf('v1').some((given) => wanted.some((digest) => isSame(Buffer.from(given, 'hex'), digest)));
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
