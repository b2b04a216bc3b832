import { expect, test } from 'vitest';
import { decidePause, decidePublish, type PublishFacts } from './decide-publish.ts';

const ready: PublishFacts = { status: 'draft', isTrackingOn: true, hasTerms: true };
const wordOf = (decision: ReturnType<typeof decidePublish>) => (decision.do === 'refuse' ? decision.reason : decision.do);

test.each<[word: string, facts: Partial<PublishFacts>]>([
  ['keep', { status: 'published', isTrackingOn: false, hasTerms: false }],
  ['tracking_is_off', { isTrackingOn: false, hasTerms: false }],
  ['terms_missing', { hasTerms: false }],
  ['terms_missing', { status: 'paused', hasTerms: false }],
  ['change', { status: 'paused' }],
  ['change', {}],
])('requires tracking and terms before publishing: %s <- %j', (word, facts) => {
  expect(wordOf(decidePublish({ ...ready, ...facts }))).toBe(word);
});

test.each<[word: string, status: PublishFacts['status']]>([
  ['keep', 'paused'],
  ['conflict', 'draft'],
  ['change', 'published'],
])('pauses only a published program: %s <- %s', (word, status) => {
  expect(wordOf(decidePause({ status }))).toBe(word);
});
