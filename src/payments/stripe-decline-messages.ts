import { apiMessage } from '../messages/api-message.ts';

/**
 * What went wrong, and what the person can do. Codes that banks ask to keep secret (a stolen card) have the same message as any other
 * decline.
 */
const messages: Readonly<Record<string, string>> = {
  insufficient_funds: apiMessage('stripe_decline_messages.insufficient_funds'),
  expired_card: apiMessage('stripe_decline_messages.expired_card'),
  authentication_required: apiMessage('stripe_decline_messages.authentication_required'),
  processing_error: apiMessage('stripe_decline_messages.processing_error'),
  card_velocity_exceeded: apiMessage('stripe_decline_messages.card_velocity_exceeded'),
  withdrawal_count_limit_exceeded: apiMessage('stripe_decline_messages.card_velocity_exceeded'),
  currency_not_supported: apiMessage('stripe_decline_messages.currency_not_supported'),
  card_not_supported: apiMessage('stripe_decline_messages.card_not_supported'),
  amount_too_small: apiMessage('stripe_decline_messages.amount_too_small'),
  amount_too_large: apiMessage('stripe_decline_messages.amount_too_large'),
  resource_missing: apiMessage('stripe_decline_messages.resource_missing'),
  payment_method_unactivated: apiMessage('stripe_decline_messages.resource_missing'),
  no_such_instrument: apiMessage('stripe_decline_messages.no_such_instrument'),
  balance_insufficient: apiMessage('stripe_decline_messages.balance_insufficient'),
  insufficient_capabilities_for_transfer: apiMessage('stripe_decline_messages.insufficient_capabilities_for_transfer'),
  account_closed: apiMessage('stripe_decline_messages.account_closed'),
  account_invalid: apiMessage('stripe_decline_messages.account_invalid'),
  canceled: apiMessage('stripe_decline_messages.canceled'),
};

export const stripeDeclineMessage = (code: string): string =>
  messages[code] ?? apiMessage('stripe_decline_messages.payment_declined_ask_bank_or');
