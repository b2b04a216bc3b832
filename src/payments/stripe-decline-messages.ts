/**
 * What went wrong, and what the person can do. Codes that banks ask to keep secret (a stolen card) have the same message as any other
 * decline.
 */
const messages: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money on the account of the card.',
  expired_card: 'The card has expired; save another one.',
  authentication_required: 'The bank wants its customer to confirm; save the payment method again, and confirm it then.',
  processing_error: "The card's bank could not work on it; it is tried again.",
  card_velocity_exceeded: 'The card has reached its limit.',
  withdrawal_count_limit_exceeded: 'The card has reached its limit.',
  currency_not_supported: 'The card does not pay in US dollars; save another one.',
  card_not_supported: 'The card does not allow such a payment; save another one.',
  amount_too_small: 'The amount is below the smallest that is charged.',
  amount_too_large: 'The amount is above the largest that is moved at once.',
  resource_missing: 'Stripe does not know the saved method any more; save it again.',
  payment_method_unactivated: 'Stripe does not know the saved method any more; save it again.',
  no_such_instrument: 'The saved method is none of Stripe; save it again.',
  balance_insufficient: "There is not enough money on the operator's Stripe balance.",
  insufficient_capabilities_for_transfer: 'The account at Stripe cannot be paid yet; its owner finishes the questions there.',
  account_closed: 'The account at Stripe was closed; connect another one.',
  account_invalid: 'The account at Stripe cannot be reached any more; connect it again.',
  canceled: 'The payment was cancelled.',
};

export const stripeDeclineMessage = (code: string): string =>
  messages[code] ?? 'The payment was declined; the bank or Stripe can say more.';
