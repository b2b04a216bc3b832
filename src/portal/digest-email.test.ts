import { expect, test } from 'vitest';
import { cents, noCents } from '../core/money.ts';
import { renderEmail } from '../notify/render-email.ts';
import { digestEmail } from './digest-email.ts';

test('a bonus of a goal is named in the language of the creator, and a rejection has the words of the merchant', () => {
  const none = { count: 0n, amount: noCents };
  const refused = [
    {
      sourceText: 'Goal reached: the first approved order',
      amount: cents(2_500),
      rejectedReason: 'An order of the goal was rejected or refunded',
      isGoalBonus: true,
    },
    { sourceText: 'Goal reached: 2 approved orders', amount: cents(500), rejectedReason: 'Own purchases', isGoalBonus: true },
    { sourceText: '#1001', amount: cents(1_000), rejectedReason: 'The boots came back', isGoalBonus: false },
  ];
  const email = digestEmail([{ storeName: 'Acme', opened: none, approved: none, refused, hasMoreRefused: false }], 'https://t.example');
  const { text } = renderEmail(email, 'de');
  expect(text).toContain(
    'Acme: Der Bonus von 25,00 USD für ein Ziel wurde zurückgenommen, weil eine Bestellung des Ziels abgelehnt oder erstattet wurde.',
  );
  expect(text).toContain('Acme hat den Bonus von 5,00 USD für ein Ziel abgelehnt: Own purchases');
  expect(text).toContain('Acme hat #1001 (10,00 USD) abgelehnt: The boots came back');
  expect(text).not.toMatch(/Goal reached|An order of the goal/);
});
