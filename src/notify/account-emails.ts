import { emailMessage, type EmailMessage } from '../messages/format-message.ts';
import type { EmailContent } from './render-email.ts';

export type InvitationTarget =
  | { readonly to: 'store'; readonly role: string }
  | { readonly to: 'operators' }
  | { readonly to: 'creator account' };

type InvitationFacts = { readonly invited: InvitationTarget; readonly by: string; readonly url: string; readonly days: number };

export const invitationEmail = ({ invited, by, url, days }: InvitationFacts): EmailContent => ({
  // Does not contain the inviter's name: a person who invites strangers must not choose the subject.
  subject: emailMessage('invitation.subject'),
  paragraphs: [describeInvitation(invited, by)],
  button: { label: emailMessage('invitation.accept'), url },
  footnotes: [emailMessage('common.link_days', { days }), emailMessage('invitation.ignore')],
});

function describeInvitation(invited: InvitationTarget, by: string): EmailMessage {
  switch (invited.to) {
    case 'store':
      return emailMessage('invitation.to_store', { by, role: invited.role });
    case 'operators':
      return emailMessage('invitation.to_operators', { by });
    case 'creator account':
      return emailMessage('invitation.to_creator_account', { by });
  }
}

export const signUpEmail = ({ url, hours }: { readonly url: string; readonly hours: number }): EmailContent => ({
  subject: emailMessage('sign_up.subject'),
  paragraphs: [emailMessage('sign_up.body')],
  button: { label: emailMessage('sign_up.button'), url },
  footnotes: [emailMessage('common.link_hours', { hours }), emailMessage('common.ignore')],
});

export const accountExistsEmail = ({ url }: { readonly url: string }): EmailContent => ({
  subject: emailMessage('account_exists.subject'),
  paragraphs: [emailMessage('account_exists.body')],
  button: { label: emailMessage('common.sign_in'), url },
  footnotes: [emailMessage('account_exists.footnote')],
});

export const passwordResetEmail = ({ url, minutes }: { readonly url: string; readonly minutes: number }): EmailContent => ({
  subject: emailMessage('password_reset.subject'),
  paragraphs: [emailMessage('password_reset.body')],
  button: { label: emailMessage('password_reset.button'), url },
  footnotes: [emailMessage('common.link_minutes', { minutes }), emailMessage('password_reset.footnote')],
});

/** Says by email what the page must not reveal, and helps a person who signed up with another address. */
export const noAccountEmail = ({ url }: { readonly url: string }): EmailContent => ({
  subject: emailMessage('no_account.subject'),
  paragraphs: [emailMessage('no_account.body')],
  button: { label: emailMessage('no_account.button'), url },
  footnotes: [emailMessage('common.ignore')],
});

export const passwordChangedEmail = ({ url, keysEnded }: { readonly url: string; readonly keysEnded: number }): EmailContent => ({
  subject: emailMessage('password_changed.subject'),
  paragraphs: [
    emailMessage('password_changed.body'),
    ...(keysEnded === 0 ? [] : [emailMessage('password_changed.keys', { count: keysEnded })]),
  ],
  button: null,
  footnotes: [emailMessage('common.reset_password', { url })],
});

export const secondFactorChangedEmail = ({ isOn, url }: { readonly isOn: boolean; readonly url: string }): EmailContent => ({
  subject: emailMessage(isOn ? 'second_factor.subject_on' : 'second_factor.subject_off'),
  paragraphs: [emailMessage(isOn ? 'second_factor.on' : 'second_factor.off')],
  button: null,
  footnotes: [emailMessage('common.reset_password', { url })],
});

export const secondFactorReplacedEmail = ({ url }: { readonly url: string }): EmailContent => ({
  subject: emailMessage('second_factor.subject_replaced'),
  paragraphs: [emailMessage('second_factor.replaced')],
  button: null,
  footnotes: [emailMessage('common.reset_password', { url })],
});

const browserLengthMax = 150;

export const newDeviceEmail = ({
  browser,
  at,
  url,
}: {
  readonly browser: string;
  readonly at: Date;
  readonly url: string;
}): EmailContent => ({
  subject: emailMessage('new_device.subject'),
  paragraphs: [
    emailMessage('new_device.body', { at }),
    browser === ''
      ? emailMessage('new_device.unknown_browser')
      : emailMessage('new_device.browser', { browser: browser.slice(0, browserLengthMax) }),
  ],
  button: { label: emailMessage('new_device.button'), url },
  footnotes: [emailMessage('new_device.footnote')],
});

/** Sent because a person who gets as far as the code knows the password. */
export const wrongCodeEmail = ({ url }: { readonly url: string }): EmailContent => ({
  subject: emailMessage('wrong_code.subject'),
  paragraphs: [emailMessage('wrong_code.body')],
  button: null,
  footnotes: [emailMessage('wrong_code.footnote', { url }), emailMessage('wrong_code.frequency')],
});

export type KeyOwner = { readonly is: 'operator' } | { readonly is: 'store'; readonly store: string } | { readonly is: 'creator' };
export type NewKeyFacts = {
  readonly name: string;
  readonly last4: string;
  readonly by: string;
  readonly of: KeyOwner;
  readonly url: string;
};

export const newKeyEmail = ({ url, ...key }: NewKeyFacts): EmailContent => ({
  subject: emailMessage('new_key.subject'),
  paragraphs: [describeNewKey(key)],
  button: { label: emailMessage('new_key.button'), url },
  footnotes: [emailMessage('new_key.footnote')],
});

function describeNewKey({ of, ...key }: Omit<NewKeyFacts, 'url'>): EmailMessage {
  switch (of.is) {
    case 'operator':
      return emailMessage('new_key.for_operators', key);
    case 'store':
      return emailMessage('new_key.for_store', { ...key, store: of.store });
    case 'creator':
      return emailMessage('new_key.for_creator', key);
  }
}

/** Sent to the new address. */
export const confirmAddressEmail = ({ url, hours }: { readonly url: string; readonly hours: number }): EmailContent => ({
  subject: emailMessage('confirm_address.subject'),
  paragraphs: [emailMessage('confirm_address.body')],
  button: { label: emailMessage('confirm_address.button'), url },
  footnotes: [emailMessage('common.link_hours', { hours }), emailMessage('confirm_address.footnote'), emailMessage('common.ignore')],
});

/** Sent to an address that another account uses, which the page does not reveal. */
export const addressTakenEmail = ({ url }: { readonly url: string }): EmailContent => ({
  subject: emailMessage('address_taken.subject'),
  paragraphs: [emailMessage('address_taken.body')],
  button: { label: emailMessage('common.sign_in'), url },
  footnotes: [emailMessage('common.ignore')],
});

type AddressChange = { readonly email: string; readonly url: string; readonly days: number };

/** Sent to the previous address. */
export const addressChangedEmail = ({ email, url, days }: AddressChange): EmailContent => ({
  subject: emailMessage('address_changed.subject'),
  paragraphs: [emailMessage('address_changed.body', { email }), emailMessage('address_changed.undo')],
  button: { label: emailMessage('address_changed.button'), url },
  footnotes: [emailMessage('common.link_days', { days }), emailMessage('address_changed.footnote')],
});

/** Sent to the address that the undone change had set. */
export const addressRestoredEmail = (): EmailContent => ({
  subject: emailMessage('address_restored.subject'),
  paragraphs: [emailMessage('address_restored.body')],
  button: null,
  footnotes: [],
});
