import { isValidElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../../sdk/src/api-schema.ts';
import { AuditSentence } from './audit-sentence.tsx';
import { t } from './messages.ts';

/** Without a store nothing is linked, so that no router is needed. */
const entryOf = (action: string, fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'audit_1',
  at: '2026-03-04T12:00:00.000Z',
  actor: 'user_1',
  actor_name: 'Noor Haddad',
  action,
  subject: '',
  objects: [],
  details: {},
  store_id: null,
  creator_id: null,
  request_id: '',
  ...fields,
});
const textOf = (entry: AuditEntry): string => renderedText(AuditSentence({ entry }));

/** The components use no hooks, so a renderer is not needed. */
function renderedText(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(renderedText).join('');
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (!isValidElement<{ readonly children?: ReactNode }>(node)) return '';
  const { type, props } = node;
  return renderedText(typeof type === 'function' ? Reflect.apply(type, null, [props]) : props.children);
}
const program = { type: 'program', id: 'prog_1', name: 'Spring program' } as const;
const creator = { type: 'creator', id: 'crt_1', name: 'Clara Reyes' } as const;
const commission = { type: 'commission', id: 'com_1', name: '18401' } as const;

test('every sentence can be shown without any object, and no tag of it is unknown', () => {
  for (const name of Object.keys(t.audit_actions)) {
    const action = name.split('.').slice(0, 2).join('.');
    const variant = name.split('.')[2] ?? '';
    const isSwitch = ['on', 'off'].includes(variant);
    const details = { name: 'Spring', ...(isSwitch ? { is_on: variant === 'on' } : { status: variant }) };
    const text = textOf(entryOf(action, { details }));
    expect(text, name).toMatch(/^Noor Haddad [a-z]/);
    expect(text, name).not.toMatch(/<|undefined|\{|  |\s$/);
  }
});

test('a sentence names the objects, and uses a noun for one that no longer exists', () => {
  expect(textOf(entryOf('terms.add', { objects: [program] }))).toBe('Noor Haddad changed the terms of Spring program');
  expect(textOf(entryOf('terms.add'))).toBe('Noor Haddad changed the terms of a program');
  expect(textOf(entryOf('link.create', { objects: [program, creator] }))).toBe(
    'Noor Haddad created a link for Clara Reyes in Spring program',
  );
  expect(textOf(entryOf('link.create', { objects: [creator] }))).toBe('Noor Haddad created a link for Clara Reyes');
});

test('the result of an action chooses the sentence', () => {
  const change = (status: string) => textOf(entryOf('member.change', { objects: [creator, program], details: { status } }));
  expect(change('approved')).toBe('Noor Haddad approved Clara Reyes for Spring program');
  expect(change('removed')).toBe('Noor Haddad removed Clara Reyes from Spring program');
  expect(textOf(entryOf('program.leaderboard', { objects: [program], details: { is_on: false } }))).toBe(
    'Noor Haddad turned off the leaderboard of Spring program',
  );
});

test('decisions are counted, with the reason and the only commission', () => {
  const details = { counts: { ok: 1 }, reason: 'Self-referral' };
  expect(textOf(entryOf('commissions.reject', { objects: [commission], details }))).toBe(
    'Noor Haddad rejected 1 commission (18401): Self-referral',
  );
  expect(textOf(entryOf('commissions.approve', { details: { counts: { ok: 12 } } }))).toBe('Noor Haddad approved 12 commissions');
  expect(textOf(entryOf('commissions.release', { details: { counts: { ok: 1 }, filter: { order_id: '18402' } } }))).toBe(
    'Noor Haddad released 1 commission from hold (18402)',
  );
});

test('names API keys, the command line, and visitors who were not signed in', () => {
  expect(textOf(entryOf('program.pause', { actor: 'key_1', actor_name: 'Nightly', objects: [program] }))).toBe(
    'The API key Nightly paused Spring program',
  );
  expect(textOf(entryOf('operator.made', { actor: 'system', actor_name: 'command line' }))).toBe(
    'The command line made a person an operator',
  );
  expect(textOf(entryOf('sign_up.asked', { actor: 'nobody', details: { email: 'a@b.example' } }))).toBe(
    'A visitor requested an account for a@b.example',
  );
});

test('an action without a sentence is shown by its name', () => {
  expect(textOf(entryOf('teapot.boiled'))).toBe('Noor Haddad did this: teapot.boiled');
});
