import { hashId, type Content, type FieldList } from '../contract/content-hash.ts';
import {
  clickId,
  FieldError,
  leadKindLengthMax,
  metadata,
  optional,
  readFields,
  required,
  text,
  time,
  type JsonObject,
} from '../contract/fields.ts';
import type { Timestamp } from '../contract/timestamp.ts';
import { apiMessage } from '../messages/api-message.ts';

/** A sign-up, trial, or booked call. */
export type LeadReport = {
  readonly leadId: string;
  /** Only if `leadId` is masked, because the lead is then found by the hash of the received ID. */
  readonly receivedId?: { readonly receivedHash: Buffer };
  readonly kind: string;
  readonly clickId: string | null;
  readonly discountCode: string | null;
  readonly customerId: string | null;
  readonly occurredAt: Timestamp;
  readonly metadata: JsonObject | null;
  /** What a replay is compared with. */
  readonly content: Content;
};

function leadKind(given: unknown, field: string): string | null | FieldError {
  const kind = text(given, field);
  const isTooLong = typeof kind === 'string' && [...kind].length > leadKindLengthMax;
  return isTooLong ? new FieldError(field, apiMessage('lead.kind_too_long', { most: leadKindLengthMax })) : kind;
}

export const leadFields = {
  lead_id: required(text),
  kind: required(leadKind),
  click_id: optional(clickId),
  discount_code: optional(text),
  customer_id: optional(text),
  occurred_at: required(time),
  metadata: optional(metadata),
};

export const leadLists: readonly FieldList[] = [
  {
    operation: 'lead',
    version: 1,
    names: ['lead_id', 'kind', 'click_id', 'discount_code', 'customer_id', 'occurred_at', 'metadata'],
  },
];

export function readLead(json: JsonObject): LeadReport | FieldError {
  const read = readFields(leadFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  return {
    leadId: values.lead_id,
    ...(values.lead_id === content['lead_id'] ? {} : { receivedId: { receivedHash: hashId(content, 'lead_id') } }),
    kind: values.kind,
    clickId: values.click_id,
    discountCode: values.discount_code,
    customerId: values.customer_id,
    occurredAt: values.occurred_at,
    metadata: values.metadata,
    content,
  };
}

/** A lead that was not real, or was canceled. Without a time, the time of receipt applies. */
export type LeadReversalReport = {
  readonly leadId: string;
  readonly occurredAt: Timestamp | null;
  readonly reason: string | null;
  readonly content: Content;
};

export const leadReversalFields = { lead_id: required(text), occurred_at: optional(time), reason: optional(text) };

export const leadReversalLists: readonly FieldList[] = [
  { operation: 'lead_reversal', version: 1, names: ['lead_id', 'occurred_at', 'reason'] },
];

export function readLeadReversal(json: JsonObject): LeadReversalReport | FieldError {
  const read = readFields(leadReversalFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  return { leadId: values.lead_id, occurredAt: values.occurred_at, reason: values.reason, content };
}
