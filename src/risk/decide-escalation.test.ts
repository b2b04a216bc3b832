import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { decideEscalation, escalations } from './decide-escalation.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const storeId = newId<'store'>(at);
const creatorId = newId<'crt'>(at);
const possible = (over: Partial<Parameters<typeof decideEscalation>[1]>) =>
  escalations.filter((what) => decideEscalation(what, { storeId: null, creatorId: null, ...over }) === null);

test('a case can be escalated only against the store or creator that it names', () => {
  expect(possible({ storeId, creatorId })).toEqual(['suspend_creator', 'archive_store', 'disable_integration']);
  expect(possible({ storeId })).toEqual(['archive_store', 'disable_integration']);
  expect(possible({ creatorId })).toEqual(['suspend_creator']);
});
