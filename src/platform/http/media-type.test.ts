import { expect, test } from 'vitest';
import { chooseType } from './media-type.ts';

const offered = ['application/json', 'text/csv', 'application/pdf'] as const;

test.each([
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
  ['application/json', 'application/json'],
  ['text/csv', 'text/csv'],
  ['Text/CSV; header=present', 'text/csv'],
  ['text/csv, application/json', 'text/csv'],
  ['text/csv;q=0.5, application/json', 'application/json'],
  ['text/csv;q=0', 'application/json'],
  ['text/csv;q=2', 'application/json'],
  ['application/pdf', 'application/pdf'],
  ['application/pdf;q=0.5, text/csv;q=0.9', 'text/csv'],
])('"Accept: %s" is answered as %s', (accept, type) => {
  expect(chooseType(accept, offered)).toBe(type);
});
