import { expect, test } from 'vitest';
import { isRefusal } from './responses.ts';
import { pageReply, readPage, timeShape, uuidShape } from './page.ts';

const id = '01932c5e-8f00-7000-8000-000000000001';
const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');

test('without a cursor a list begins at its beginning, with fifty rows', () => {
  expect(readPage({}, [uuidShape])).toEqual({ after: null, limit: 50 });
});

test('the cursor of a page is read back as the position of its last row', () => {
  const reply = pageReply(
    ['a', 'b', 'c'],
    { after: null, limit: 2 },
    (row) => row.toUpperCase(),
    (row) => ['1', row],
  );
  expect(reply.data).toEqual(['A', 'B']);
  expect(readPage({ cursor: reply.next_cursor ?? '', limit: 2 }, [timeShape, /^[a-z]$/])).toEqual({ after: ['1', 'b'], limit: 2 });
});

test('a last page has no cursor, also when it is full', () => {
  expect(
    pageReply(
      ['a', 'b'],
      { after: null, limit: 2 },
      (row) => row,
      (row) => [row],
    ).next_cursor,
  ).toBeNull();
});

test.each([
  [''],
  ['x'],
  ['%00'],
  [cursorOf(null)],
  [cursorOf(id)],
  [cursorOf([])],
  [cursorOf([id, id])],
  [cursorOf([1])],
  [cursorOf([`${id}' or true`])],
  [cursorOf([id.toUpperCase()])],
])('a cursor that no list gave is refused: %s', (cursor) => {
  expect(isRefusal(readPage({ cursor }, [uuidShape]))).toBe(true);
});
