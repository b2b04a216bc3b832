import { expect, test } from 'vitest';
import { writtenOut } from './letter.ts';
import { invitationLetter } from './people-letters.ts';

const url = 'https://tributary.example/link#a&b';

test('a name that is written like HTML stays a name', () => {
  const by = `<img src=x onerror="alert('1')">&`;
  const { html, text } = writtenOut(invitationLetter({ invited: { to: 'store', role: 'viewer' }, by, url, days: 7 }));
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp; invites you');
  expect(text).toContain(by);
});

test('both forms hold the same sentences and the whole address', () => {
  const letter = invitationLetter({ invited: { to: 'operators' }, by: 'Olive', url, days: 7 });
  const { html, text } = writtenOut(letter);
  for (const sentence of [...letter.sentences, ...letter.afterwards]) {
    expect(text).toContain(sentence);
    expect(html).toContain(sentence);
  }
  expect(text).toContain(`Accept the invitation:\n${url}\n`);
  expect(html).toContain('href="https://tributary.example/link#a&amp;b"');
});
