import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMarkdown } from './safe-markdown.ts';

test.each([
  ['One\nline\n\nTwo', '<p>One<br>line</p>\n<p>Two</p>'],
  ['- a\n- **b**', '<ul><li>a</li><li><strong>b</strong></li></ul>'],
  ['*soft* and **hard** 2 * 3 * 4', '<p><em>soft</em> and <strong>hard</strong> 2 * 3 * 4</p>'],
  ['[Rules](https://store.example/a_b*c*)', '<p><a href="https://store.example/a_b*c*">Rules</a> (store.example)</p>'],
  ['[https://bank.example](https://evil.example/)', '<p><a href="https://evil.example/">https://bank.example</a> (evil.example)</p>'],
  ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ['[x](data:text/html,1) <b onclick="y">', '<p>[x](data:text/html,1) &lt;b onclick=&quot;y&quot;&gt;</p>'],
  ['[a](https://a.example/"onx=1)', '<p><a href="https://a.example/%22onx=1">a</a> (a.example)</p>'],
  ['', ''],
])('renders %j', (text, html) => {
  expect(renderMarkdown(text)).toBe(html);
});

test('no text makes other elements or attributes than these', () => {
  const part = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '*',
    '**',
    '[',
    ']',
    '(',
    ')',
    'https://a.example/',
    'x',
    '\n',
    '\n\n',
    '- ',
    '<img src=x>',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const rest = renderMarkdown(parts.join('')).replace(/<a href="https?:\/\/[^"<>]+">|<\/a>|<\/?(?:p|ul|li|strong|em)>|<br>/g, '');
      expect(rest).not.toMatch(/[<>"]/);
    }),
  );
});
