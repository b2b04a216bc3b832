import type { EmailContent } from './render-email.ts';

export type InvitationTarget =
  | { readonly to: 'store'; readonly role: string }
  | { readonly to: 'operators' }
  | { readonly to: 'creator account' };

export function invitationEmail(facts: {
  readonly invited: InvitationTarget;
  readonly by: string;
  readonly url: string;
  readonly days: number;
}): EmailContent {
  const { invited, by, url, days } = facts;
  return {
    // Does not contain the inviter's name: a person who invites strangers must not choose the subject.
    subject: 'You are invited to Tributary',
    paragraphs: [`${by} invites you to ${describeTarget(invited)}.`],
    button: { label: 'Accept the invitation', url },
    footnotes: [`The link works once, for ${days} days. If you do not know who this is, leave it: nothing happens without you.`],
  };
}

function describeTarget(invited: InvitationTarget): string {
  switch (invited.to) {
    case 'store':
      return `work on a store at Tributary, with the role “${invited.role}”`;
    case 'operators':
      return 'run this installation of Tributary as an operator';
    case 'creator account':
      return 'look after your creator account at Tributary: your links, your sales and your payouts';
  }
}

export function signUpEmail({ url, hours }: { readonly url: string; readonly hours: number }): EmailContent {
  return {
    subject: 'Finish your sign-up at Tributary',
    paragraphs: ['You, or somebody with your address, asked for an account at Tributary.'],
    button: { label: 'Choose a name and a password', url },
    footnotes: [`The link works once, for ${hours} hours. If it was not you, leave it: no account is made.`],
  };
}

export function accountExistsEmail({ url }: { readonly url: string }): EmailContent {
  return {
    subject: 'You have an account at Tributary already',
    paragraphs: ['Somebody asked for a new account with your address. You have one already, so nothing was changed.'],
    button: { label: 'Sign in', url },
    footnotes: ['If you have forgotten the password, the sign-in page lets you choose a new one.'],
  };
}

export function passwordResetEmail({ url, minutes }: { readonly url: string; readonly minutes: number }): EmailContent {
  return {
    subject: 'Choose a new password for Tributary',
    paragraphs: ['You, or somebody with your address, asked to choose a new password.'],
    button: { label: 'Choose a new password', url },
    footnotes: [`The link works once, for ${minutes} minutes. If it was not you, leave it: your password stays as it is.`],
  };
}

/** Says by email what the page must not reveal, and helps a person who signed up with another address. */
export function noAccountEmail({ url }: { readonly url: string }): EmailContent {
  return {
    subject: 'There is no account with this address',
    paragraphs: [
      'Somebody asked to choose a new password for this address, but there is no account with it.',
      'Perhaps you signed up with another address.',
    ],
    button: { label: 'Try another address, or sign up', url },
    footnotes: ['If it was not you, there is nothing to do.'],
  };
}

export function passwordChangedEmail({ url, keysEnded }: { readonly url: string; readonly keysEnded: number }): EmailContent {
  const keys = keysEnded === 0 ? [] : [`The API keys that you made were revoked too: ${keysEnded}.`];
  return {
    subject: 'Your password was changed',
    paragraphs: ['The password of your account at Tributary was changed. All other sessions were ended.', ...keys],
    button: null,
    footnotes: [`If it was not you, choose a new password at once: ${url}`],
  };
}

export function secondFactorChangedEmail({ isOn, url }: { readonly isOn: boolean; readonly url: string }): EmailContent {
  const what = isOn
    ? 'From now on signing in to Tributary asks for a code from your app. Keep the recovery codes in a safe place.'
    : 'Signing in to Tributary no longer asks for a code from your app.';
  return {
    subject: isOn ? 'The second factor is on' : 'The second factor is off',
    paragraphs: [what],
    button: null,
    footnotes: [`If it was not you, choose a new password at once: ${url}`],
  };
}

export function secondFactorReplacedEmail({ url }: { readonly url: string }): EmailContent {
  return {
    subject: 'Your authenticator app was replaced',
    paragraphs: ['Codes for your account at Tributary now come from another app. The former app and its recovery codes stopped working.'],
    button: null,
    footnotes: [`If it was not you, choose a new password now: ${url}`],
  };
}

const browserLengthMax = 150;

export function newDeviceEmail({ browser, at, url }: { readonly browser: string; readonly at: Date; readonly url: string }): EmailContent {
  return {
    subject: 'A new device signed in to your account',
    paragraphs: [
      `Your account at Tributary was signed in to from a browser that it did not know, at ${at.toISOString()}.`,
      `The browser calls itself: ${browser === '' ? 'nothing' : browser.slice(0, browserLengthMax)}`,
    ],
    button: { label: 'See your sessions and devices', url },
    footnotes: ['If it was not you, choose a new password now, and end all sessions and keys.'],
  };
}

/** Sent because a person who gets as far as the code knows the password. */
export function wrongCodeEmail({ url }: { readonly url: string }): EmailContent {
  return {
    subject: 'Somebody entered a wrong code for your account',
    paragraphs: ['Your password was right, but the code of the second factor was wrong, so nobody was let in.'],
    button: null,
    footnotes: [`If it was not you, somebody knows your password. Choose a new one now: ${url}`, 'We write this at most once an hour.'],
  };
}

export type NewKeyFacts = { readonly name: string; readonly last4: string; readonly by: string; readonly of: string; readonly url: string };

export function newKeyEmail({ name, last4, by, of, url }: NewKeyFacts): EmailContent {
  return {
    subject: 'A new API key was created',
    paragraphs: [`${by} created the API key “${name}” (ends with ${last4}) for ${of}.`],
    button: { label: 'See the API keys', url },
    footnotes: ['If nobody should have done this, revoke the key, and let its creator choose a new password.'],
  };
}

/** Sent to the new address. */
export const confirmAddressEmail = ({ url, hours }: { readonly url: string; readonly hours: number }): EmailContent => ({
  subject: 'Confirm your new e-mail address at Tributary',
  paragraphs: ['Somebody with an account at Tributary, probably you, wants to use this address for it.'],
  button: { label: 'Confirm the address', url },
  footnotes: [`The link works once, for ${hours} hours, and only where you are signed in. If it was not you, ignore this email.`],
});

/** Sent to an address that another account uses, which the page does not reveal. */
export const addressTakenEmail = ({ url }: { readonly url: string }): EmailContent => ({
  subject: 'This address already has an account at Tributary',
  paragraphs: [
    'Somebody wanted to use this address for their account at Tributary. It belongs to an account already, so nothing was changed.',
  ],
  button: { label: 'Sign in', url },
  footnotes: ['If it was not you, there is nothing to do.'],
});

/** Sent to the previous address. */
export const addressChangedEmail = ({
  email,
  url,
  days,
}: {
  readonly email: string;
  readonly url: string;
  readonly days: number;
}): EmailContent => ({
  subject: 'The e-mail address of your account was changed',
  paragraphs: [
    `Your account at Tributary now uses ${email}. Emails go there from now on.`,
    'If it was not you, undo the change: you get the account back, everybody is signed out, and you choose a new password.',
  ],
  button: { label: 'Undo the change', url },
  footnotes: [`The link works once, for ${days} days. If it was you, there is nothing to do.`],
});

/** Sent to the address that the undone change had set. */
export const addressRestoredEmail = (): EmailContent => ({
  subject: 'The change of an e-mail address was undone',
  paragraphs: ['The account at Tributary that used this address has its former address again. Everybody was signed out of it.'],
  button: null,
  footnotes: [],
});
