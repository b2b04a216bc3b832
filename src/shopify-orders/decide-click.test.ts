import { expect, test } from 'vitest';
import { minuteMs } from '../core/time.ts';
import { decideClick, type ClickFacts } from './decide-click.ts';

const processedAt = new Date('2026-03-01T12:00:00.000Z');
const posted = (minutes: number, isDisputed = false) => ({
  clickId: 'posted',
  isDisputed,
  postedAt: new Date(processedAt.getTime() + minutes * minuteMs),
});
const everything: ClickFacts = { order: { cartClick: 'cart', lineClick: 'line', processedAt }, known: 'known', posted: posted(1) };
const none: ClickFacts = { order: { cartClick: null, lineClick: null, processedAt }, known: null, posted: null };

test.each<[what: string, facts: ClickFacts, click: string | null]>([
  ['the click of an earlier reading stays', everything, 'known'],
  ['the cart precedes the line', { ...everything, known: null }, 'cart'],
  ['the line precedes the browser', { ...everything, known: null, order: { ...everything.order, cartClick: null } }, 'line'],
  ['a click that a browser posted is used last', { ...none, posted: posted(1) }, 'posted'],
  ['a click that was posted before the order', { ...none, posted: posted(-59) }, 'posted'],
  ['a click that was posted an hour later', { ...none, posted: posted(61) }, null],
  ['a click that was posted an hour before', { ...none, posted: posted(-61) }, null],
  ['a click that two browsers name differently', { ...none, posted: posted(1, true) }, null],
  ['no click', none, null],
])('%s', (_what, facts, click) => expect(decideClick(facts)).toBe(click));
