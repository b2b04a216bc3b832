import { expect, test } from 'vitest';
import { mayOpenLinks } from './decide-open-mail.ts';

const own = { readerEmail: 'olive@operator.example', to: 'olive@operator.example' };
const others = { ...own, to: 'mara@shop.example' };

test('with a mail server nobody reads a link in a stored mail', () => {
  for (const mode of ['live', 'sandbox'] as const)
    for (const mail of [own, others]) expect(mayOpenLinks({ mode, hasMailServer: true, ...mail })).toBe(false);
});

test('without a mail server an operator reads their own links, and those of others in the sandbox alone', () => {
  expect(mayOpenLinks({ mode: 'live', hasMailServer: false, ...own })).toBe(true);
  expect(mayOpenLinks({ mode: 'live', hasMailServer: false, ...others })).toBe(false);
  expect(mayOpenLinks({ mode: 'sandbox', hasMailServer: false, ...others })).toBe(true);
});
