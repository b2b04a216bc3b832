import { expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { stateAfterEvent } from '../../src/core/state-machine.ts';
import { decideApplication } from '../../src/creators/decide-application.ts';
import { decideLeave, decideMember } from '../../src/creators/decide-member.ts';
import { removeFromAllPrograms, transitionMember } from '../../src/creators/members-sql.ts';
import { membershipTransitions, memberStatuses, type MembershipEvent, type MemberStatus } from '../../src/creators/membership-states.ts';
import type { Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { openSharedMerchant } from '../support/merchant.ts';
import { otherStateWriters, stateAfterWrite } from '../support/transitions.ts';

const merchant = await openSharedMerchant();
const { programId } = await merchant.database.one<{ programId: string }>(
  sql`select program_id from programs where store_id = ${merchant.storeId} limit 1`,
);

const at = new Date('2026-03-01T12:00:00.000Z');
const key = { memberId: newId<'mem'>(at), creatorId: newId<'crt'>(at) };

const arrange = (tx: Transaction, status: MemberStatus) =>
  tx.run(sql`
    insert into members (store_id, member_id, program_id, creator_id, status, since, created_at)
    values (${merchant.storeId}, ${key.memberId}, ${programId}, ${key.creatorId}, ${status}, ${at}, ${at})`);

const write = (tx: Transaction, event: MembershipEvent): Promise<unknown> =>
  event === 'erase'
    ? removeFromAllPrograms(tx, { creatorId: key.creatorId, storeIds: [merchant.storeId], at })
    : transitionMember(tx, { storeId: merchant.storeId, memberId: key.memberId }, { event, at });

const read = (tx: Transaction) =>
  tx.one<{ state: string; version: string }>(
    sql`select status as state, ctid::text as version from members
        where store_id = ${merchant.storeId} and member_id = ${key.memberId}`,
  );

const after = (status: MemberStatus, event: MembershipEvent) => stateAfterEvent<MemberStatus>(status, membershipTransitions[event]);
const events = Object.keys(membershipTransitions) as readonly MembershipEvent[];
const cases = events.flatMap((event) => memberStatuses.map((status) => [event, status] as const));

test.each(cases)('"%s" of a membership that is %s does what the table says', async (event, status) => {
  const tried = { arrange: (tx: Transaction) => arrange(tx, status), write: (tx: Transaction) => write(tx, event), read };
  expect(await stateAfterWrite(merchant.database, tried)).toBe(after(status, event));
});

const wanted = ['approved', 'paused', 'removed'] as const;

test.each(memberStatuses)('every decision about a membership that is %s is an event that may happen in that status', (status) => {
  const decisions = [...wanted.map((one) => decideMember({ status, hasLeft: false }, one)), decideLeave(status)];
  const decided = decisions.flatMap((decision) => (decision.do === 'change' ? [decision.event] : []));
  expect(decided.filter((event) => after(status, event) === null)).toEqual([]);
});

test.each(memberStatuses)('a creator with a membership that is %s can apply again only as the table says', (member) => {
  const facts = { wasPublished: true, isOpen: true, isSuspended: false, now: at, openApplications: 0 };
  const leftAt = member === 'removed' ? new Date('2026-01-01T00:00:00.000Z') : null;
  expect(decideApplication({ ...facts, member, leftAt }).do === 'apply').toBe(after(member, 'applyAgain') !== null);
});

test('every statement that changes the status of a membership takes it from the table', () => {
  const { statements, others } = otherStateWriters('members', 'status');
  expect(statements).toBeGreaterThan(1);
  expect(others).toEqual([]);
});
