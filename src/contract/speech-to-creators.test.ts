import { expect, test } from 'vitest';
import type { Language } from '../../locales/languages.ts';
import { explainAnotherCreator } from './explain-attribution.ts';
import { explain } from './explain.ts';
import { speechToCreators } from './speech-to-creators.ts';
import type { Why } from './why.ts';

const order: Why = {
  occurred_at: '2026-03-10T12:00:00.000Z',
  clicked_at: '2026-03-01T09:30:00.000Z',
  attribution_days: 30,
  hold_until: '2026-04-09T12:00:00.000Z',
  eligible_cents: 1_234_567,
  commission_cents: 154_321,
  earned: [
    {
      product_id: null,
      of_cents: 1_234_567,
      quantity: 1,
      basis_points: 1_250,
      flat_cents: null,
      amount_cents: 154_321,
      rule: { level: 'program', conditions: { new_customers: true, min_order_cents: 5_000 } },
    },
  ],
};

const recordedIn: ReadonlyArray<readonly [Language, string]> = [
  [
    'en',
    'The order earns 1,543.21 USD: 12.5% of 12,345.67 USD is 1,543.21 USD (the program’s rate, for new customers, for orders of at least 50.00 USD). The refund hold ends on 2026-04-09.',
  ],
  [
    'de',
    'Die Bestellung bringt 1.543,21 USD ein: 12,5\u00a0% von 12.345,67 USD sind 1.543,21 USD (der Satz des Programms, für neue Kunden, für Bestellungen ab 50,00 USD). Die Rückgabefrist endet am 9. April 2026.',
  ],
  [
    'es',
    'El pedido genera 1543,21 USD: el 12,5\u00a0% de 12.345,67 USD es 1543,21 USD (la tasa del programa, para clientes nuevos, para pedidos de al menos 50,00 USD). El plazo de devolución termina el 9 de abril de 2026.',
  ],
  [
    'fr',
    'La commande rapporte 1\u202f543,21 USD : 12,5\u00a0% de 12\u202f345,67 USD font 1\u202f543,21 USD (le taux du programme, pour les nouveaux clients, pour les commandes d’au moins 50,00 USD). Le délai de retour se termine le 9 avril 2026.',
  ],
  [
    'pt-BR',
    'O pedido gera 1.543,21 USD: 12,5% de 12.345,67 USD são 1.543,21 USD (a taxa do programa, para clientes novos, para pedidos a partir de 50,00 USD). O prazo de devolução termina em 9 de abril de 2026.',
  ],
  [
    'ja',
    'この注文の報酬は1,543.21 USDです：12,345.67 USDの12.5%で1,543.21 USD（プログラムの料率、新規のお客様のみ、50.00 USD以上の注文）。返品期間は2026年4月9日に終了します。',
  ],
];

test.each(recordedIn)('in %s, a creator reads what an order earns with its amounts, percentage, rule, and day', (language, sentence) => {
  expect(explain({ operation: 'conversion', reason: 'recorded', why: order }, speechToCreators(language))).toBe(sentence);
});

const expiredIn: ReadonlyArray<readonly [Language, number, string]> = [
  [
    'de',
    1,
    'Der Klick war am 1. März 2026 um 09:30 UTC, und die Bestellung wurde am 10. März 2026 um 12:00 UTC aufgegeben. Das Programm zählt Bestellungen innerhalb von 1 Tag nach dem Klick.',
  ],
  [
    'de',
    7,
    'Der Klick war am 1. März 2026 um 09:30 UTC, und die Bestellung wurde am 10. März 2026 um 12:00 UTC aufgegeben. Das Programm zählt Bestellungen innerhalb von 7 Tagen nach dem Klick.',
  ],
  [
    'ja',
    7,
    'クリックは2026年3月1日 9:30 UTC、注文は2026年3月10日 12:00 UTCでした。このプログラムでは、クリックから7日以内の注文が対象です。',
  ],
];

test.each(expiredIn)('in %s, a creator reads why an order came too late after %i days, with both times', (language, days, sentence) => {
  const why = { ...order, attribution_days: days };
  expect(explain({ operation: 'conversion', reason: 'attribution_window_expired', why }, speechToCreators(language))).toBe(sentence);
});

test('each kind of order has its grammatical gender', () => {
  const german = speechToCreators('de');
  const why: Why = {
    occurred_at: '2026-03-10T12:00:00.000Z',
    rule: 'code_before_click',
    attributed_by: 'code',
    compared: { by: 'click', creator_id: 'crt_ben', clicked_at: '2026-03-01T09:30:00.000Z' },
  };
  const rest =
    'vom 10. März 2026 um 12:00 UTC hatte Ihren Klick vom 1. März 2026 um 09:30 UTC und einen Rabattcode eines anderen Creators; ' +
    'nach den Bedingungen des Programms zählt ein Rabattcode vor einem Klick.';
  expect(explainAnotherCreator('order', why, german)).toBe(`Die Bestellung ${rest}`);
  expect(explainAnotherCreator('subscription', why, german)).toBe(`Das Abonnement ${rest}`);
  expect(explainAnotherCreator('lead', why, german)).toBe(`Der Lead ${rest}`);
});

test('the kinds of leads that the guides name are translated, and others are as the store reported them', () => {
  const leadOf = (kind: string): string =>
    explain({ operation: 'lead', reason: 'recorded', why: { ...order, earned: [], lead_kind: kind } }, speechToCreators('fr'));
  expect(leadOf('trial')).toMatch(/^Ce lead \(essai\) rapporte 1\u202f543,21 USD\./);
  expect(leadOf('newsletter')).toMatch(/^Ce lead \(newsletter\) rapporte /);
});
