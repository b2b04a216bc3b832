import { createHmac, timingSafeEqual } from 'node:crypto';

type Signed = {
  /** The raw body, byte for byte: a parsed and re-serialized body has another signature. */
  readonly raw: string | Uint8Array;
  /** The header `Stripe-Signature`. */
  readonly header: string;
  /** Several during a rotation. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
  readonly toleranceSeconds: number;
};

/** Whether Stripe signed these bytes recently: a replayed old request must be rejected. */
export function isSignedByStripe({ raw, header, secrets, nowMs, toleranceSeconds }: Signed): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
  const [time = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowMs / 1_000 - Number(time)) > toleranceSeconds) return false;
  const wanted = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.`).update(raw).digest());
  return valuesOf('v1').some((given) => wanted.some((digest) => isSame(Buffer.from(given, 'hex'), digest)));
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
