import type { Example, OpenApi, Operation, PostbackReason, Response, Schema } from './openapi-document.ts';
import { plainSchema } from './openapi-schema.ts';

/** A postback that merchants' servers send. src/contract/ defines and passes in all of them. */
export type PostbackOperation = {
  /** With the tracking key as `:trackingKey`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: object;
  /** A valid body. */
  readonly example: object;
  readonly reasons: readonly PostbackReason[];
};

const tag = { name: 'Postbacks', description: "Reports from a merchant's server. Only postbacks move money." };

export function postbackPaths(operations: readonly PostbackOperation[]): {
  readonly tag: OpenApi['tags'];
  readonly paths: OpenApi['paths'];
} {
  const paths = operations.map(
    (operation) => [operation.path.replace(':trackingKey', '{trackingKey}'), { post: describe(operation) }] as const,
  );
  return { tag: operations.length === 0 ? [] : [tag], paths: Object.fromEntries(paths) };
}

function describe({ operationId, summary, description, body, example, reasons }: PostbackOperation): Operation {
  const statuses = [...new Set(reasons.map(({ status }) => status))].sort((one, other) => one - other);
  return {
    operationId,
    summary,
    description,
    tags: [tag.name],
    security: [{ postbackKey: [] }, { postbackKeyHeader: [] }],
    parameters: [
      { name: 'trackingKey', in: 'path', required: true, description: "The store's public tracking key.", schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: plainSchema(body), example } } },
    responses: Object.fromEntries(statuses.map((status) => [String(status), responseOf(status, reasons)])),
    'x-reasons': reasons.map(({ status, reason, retry, means }) => ({ status, reason, retry, means })),
  };
}

function responseOf(status: number, reasons: readonly PostbackReason[]): Response {
  const ofStatus = reasons.filter((row) => row.status === status);
  const schema: Schema = {
    allOf: [
      { $ref: `#/components/schemas/${status === 200 ? 'PostbackAccepted' : 'PostbackRefused'}` },
      { type: 'object', properties: { reason: { type: 'string', enum: ofStatus.map(({ reason }) => reason) } } },
    ],
  };
  return {
    description: ofStatus.map(({ reason, means }) => `\`${reason}\`: ${means}`).join(' '),
    content: { 'application/json': { schema, examples: Object.fromEntries(ofStatus.map(exampleOf)) } },
  };
}

const exampleOf = ({ reason, means, example }: PostbackReason): [string, Example] => [reason, { summary: means, value: example }];

const identifier: Schema = { type: ['integer', 'string'] };
const remainingCents: Schema = { type: 'integer', description: 'What can still be refunded' };

export const postbackSchemas: Readonly<Record<string, Schema>> = {
  PostbackAccepted: {
    type: 'object',
    required: ['ok', 'reason'],
    properties: {
      ok: { type: 'boolean', const: true },
      reason: { type: 'string', description: 'A stable code. Branch on it and on the status.' },
      transaction_id: identifier,
      conversion_id: identifier,
      binding_id: identifier,
      event_id: identifier,
      refund_id: identifier,
      lead_id: identifier,
      remaining_cents: remainingCents,
      message: { type: 'string', description: 'A sentence for people. Its wording may change.' },
    },
  },
  PostbackRefused: {
    type: 'object',
    required: ['ok', 'reason', 'retry'],
    properties: {
      ok: { type: 'boolean', const: false },
      reason: { type: 'string', description: 'A stable code. Branch on it and on the status.' },
      retry: {
        type: 'string',
        enum: ['never', 'backoff', 'daily'],
        description: 'When to send the same body again: never, with increasing delays, or once a day.',
      },
      binding_id: {
        ...identifier,
        description: 'With `no_matching_subscription_rule`: the subscription is bound and will not earn a commission.',
      },
      remaining_cents: { ...remainingCents, description: 'With `refund_exceeds_remaining_amount`: what can still be refunded.' },
      field: { type: 'string', description: 'With 400: a JSON pointer to the field.' },
      message: { type: 'string', description: 'A sentence for people. Its wording may change.' },
    },
  },
};
