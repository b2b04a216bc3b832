/**
 * What went wrong, and what the person can do. Codes that banks ask to keep secret (a stolen card) have the same message as any other
 * decline.
 */
const messages: Readonly<Record<string, string>> = {
  insufficient_funds: 'The account of the card has insufficient funds.',
  expired_card: 'The card has expired. Save another one.',
  authentication_required: 'The bank requires authentication. Save the payment method again and confirm it with the bank.',
  processing_error: 'The bank of the card could not process the charge. It will be retried.',
  card_velocity_exceeded: 'The card has reached its limit.',
  withdrawal_count_limit_exceeded: 'The card has reached its limit.',
  currency_not_supported: 'The card does not support US dollars. Save another one.',
  card_not_supported: 'The card does not support this type of payment. Save another one.',
  amount_too_small: 'The amount is below the minimum charge.',
  amount_too_large: 'The amount is above the maximum for one payment.',
  resource_missing: 'The saved payment method no longer exists at Stripe. Save it again.',
  payment_method_unactivated: 'The saved payment method no longer exists at Stripe. Save it again.',
  no_such_instrument: 'The saved payment method is not a Stripe payment method. Save it again.',
  balance_insufficient: 'The Stripe balance of the operator has insufficient funds.',
  insufficient_capabilities_for_transfer: 'The Stripe account cannot be paid yet. Its owner must complete the form at Stripe.',
  account_closed: 'The Stripe account was closed. Connect another one.',
  account_invalid: 'The Stripe account is no longer accessible. Connect it again.',
  canceled: 'The payment was cancelled.',
};

export const stripeDeclineMessage = (code: string): string =>
  messages[code] ?? 'The payment was declined. Ask the bank or Stripe for the reason.';
