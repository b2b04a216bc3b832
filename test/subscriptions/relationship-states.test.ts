import { afterAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { stateAfterEvent } from '../../src/core/state-machine.ts';
import type { Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import {
  relationshipStates,
  relationshipTransitions,
  type RelationshipEvent,
  type RelationshipState,
} from '../../src/subscriptions/relationship-states.ts';
import { insertRelationships, updateRelationships } from '../../src/subscriptions/relationships-sql.ts';
import type { Relationship } from '../../src/subscriptions/relationship.ts';
import { barePlatform } from '../support/bare-platform.ts';
import { otherStateWriters, stateAfterWrite } from '../support/transitions.ts';

const bare = await barePlatform();
afterAll(() => bare.close());

const at = new Date('2026-03-01T12:00:00.000Z');
const plan = { productId: 'plan', priceId: null };
const ended = { state: 'ended', recordedAt: at, occurredAt: at, reason: null } as const;
const active: Relationship = {
  storeId: newId<'store'>(at),
  relationshipHash: Buffer.alloc(32, 1),
  bindingId: newId<'bind'>(at),
  bindEventId: newId<'evt'>(at),
  relationshipId: 'sub_1',
  clickId: newId<'click'>(at),
  touchHash: null,
  comparedAtBind: null,
  attribution: { environment: 'test' },
  firstBound: plan,
  bound: plan,
  boundAt: at,
  recordedAt: at,
  paidInvoices: 0,
  earningInvoices: 0,
  lifecycle: { state: 'active' },
  hold: null,
};
const inState = (state: RelationshipState): Relationship => ({ ...active, lifecycle: state === 'ended' ? ended : { state } });

/** What the decision about each event changes. */
const changes: Readonly<Record<RelationshipEvent, (relationship: Relationship) => Relationship>> = {
  recordInvoice: (relationship) => ({ ...relationship, paidInvoices: 1 }),
  review: (relationship) => ({ ...relationship, bound: { productId: 'other plan', priceId: null } }),
  end: (relationship) => ({ ...relationship, lifecycle: ended }),
};

const read = (tx: Transaction) =>
  tx.one<{ state: string; version: string }>(
    sql`select state, ctid::text as version from relationships where store_id = ${active.storeId}`,
  );

const arrange = (state: RelationshipState) => (tx: Transaction) => insertRelationships(tx, [inState(state)]);
const events = Object.keys(relationshipTransitions) as readonly RelationshipEvent[];
// A second end is decided before it is written: it keeps the first one.
const cases = events.flatMap((event) =>
  relationshipStates.filter((state) => event !== 'end' || state !== 'ended').map((state) => [event, state] as const),
);

test.each(cases)('"%s" of a relationship that is %s does what the table says', async (event, state) => {
  const write = (tx: Transaction) => updateRelationships(tx, [changes[event](inState(state))]);
  const expected = stateAfterEvent<RelationshipState>(state, relationshipTransitions[event]);
  expect(await stateAfterWrite(bare.platform.database, { arrange: arrange(state), write, read })).toBe(expected);
});

test('an ended relationship cannot be written as active again', async () => {
  const write = (tx: Transaction) => updateRelationships(tx, [active]);
  expect(await stateAfterWrite(bare.platform.database, { arrange: arrange('ended'), write, read })).toBeNull();
});

test('only one statement changes the state of a relationship, and it compares the change with the table', () => {
  const { statements, others } = otherStateWriters('relationships');
  expect(statements).toBeGreaterThan(0);
  expect(others).toHaveLength(1);
  expect(others[0]).toContain('isLegalChange(relationshipTransitions');
});
