import { expect, test } from 'vitest';
import { mayViewLinks } from './decide-link-access.ts';

const own = { readerEmail: 'olive@operator.example', to: 'olive@operator.example' };
const others = { ...own, to: 'mara@shop.example' };

test('with a mail server no reader sees the link of a stored email', () => {
  for (const mode of ['live', 'sandbox'] as const)
    for (const email of [own, others]) expect(mayViewLinks({ mode, hasMailServer: true, ...email })).toBe(false);
});

test('without a mail server an operator sees their own links, and those of others only in the sandbox', () => {
  expect(mayViewLinks({ mode: 'live', hasMailServer: false, ...own })).toBe(true);
  expect(mayViewLinks({ mode: 'live', hasMailServer: false, ...others })).toBe(false);
  expect(mayViewLinks({ mode: 'sandbox', hasMailServer: false, ...others })).toBe(true);
});
