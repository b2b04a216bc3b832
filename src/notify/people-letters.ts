import type { Letter } from './letter.ts';

/** What the service writes to people about their own account. Plain words: what happened, what to do, what if it was not you. */

export type InvitedTo = { readonly to: 'store'; readonly role: string } | { readonly to: 'operators' } | { readonly to: 'creator account' };

export function invitationLetter(facts: {
  readonly invited: InvitedTo;
  readonly by: string;
  readonly url: string;
  readonly days: number;
}): Letter {
  const { invited, by, url, days } = facts;
  return {
    // Not the inviter's name: whoever writes to strangers must not choose the subject.
    subject: 'You are invited to Tributary',
    sentences: [`${by} invites you to ${placeOf(invited)}.`],
    button: { label: 'Accept the invitation', url },
    afterwards: [`The link works once, for ${days} days. If you do not know who this is, leave it: nothing happens without you.`],
  };
}

function placeOf(invited: InvitedTo): string {
  switch (invited.to) {
    case 'store':
      return `work on a store at Tributary, with the role “${invited.role}”`;
    case 'operators':
      return 'run this installation of Tributary as an operator';
    case 'creator account':
      return 'look after your creator account at Tributary: your links, your sales and your payouts';
  }
}

export function signUpLetter({ url, hours }: { readonly url: string; readonly hours: number }): Letter {
  return {
    subject: 'Finish your sign-up at Tributary',
    sentences: ['You, or somebody with your address, asked for an account at Tributary.'],
    button: { label: 'Choose a name and a password', url },
    afterwards: [`The link works once, for ${hours} hours. If it was not you, leave it: no account is made.`],
  };
}

export function accountStandsLetter({ url }: { readonly url: string }): Letter {
  return {
    subject: 'You have an account at Tributary already',
    sentences: ['Somebody asked for a new account with your address. You have one already, so nothing was changed.'],
    button: { label: 'Sign in', url },
    afterwards: ['If you have forgotten the password, the sign-in page lets you choose a new one.'],
  };
}

export function passwordResetLetter({ url, minutes }: { readonly url: string; readonly minutes: number }): Letter {
  return {
    subject: 'Choose a new password for Tributary',
    sentences: ['You, or somebody with your address, asked to choose a new password.'],
    button: { label: 'Choose a new password', url },
    afterwards: [`The link works once, for ${minutes} minutes. If it was not you, leave it: your password stays as it is.`],
  };
}

/** Sent where there is no account, so that the answer on the page need not say so, and a person with two addresses is not left waiting. */
export function noAccountLetter({ url }: { readonly url: string }): Letter {
  return {
    subject: 'There is no account with this address',
    sentences: [
      'Somebody asked to choose a new password for this address, but there is no account with it.',
      'Perhaps you signed up with another address.',
    ],
    button: { label: 'Try another address, or sign up', url },
    afterwards: ['If it was not you, there is nothing to do.'],
  };
}

export function passwordChangedLetter({ url, keysEnded }: { readonly url: string; readonly keysEnded: number }): Letter {
  const keys = keysEnded === 0 ? [] : [`The API keys that you made were revoked too: ${keysEnded}.`];
  return {
    subject: 'Your password was changed',
    sentences: ['The password of your account at Tributary was changed. All other sessions were ended.', ...keys],
    button: null,
    afterwards: [`If it was not you, choose a new password at once: ${url}`],
  };
}

export function secondFactorLetter({ isOn, url }: { readonly isOn: boolean; readonly url: string }): Letter {
  const what = isOn
    ? 'From now on signing in to Tributary asks for a code from your app. Keep the recovery codes in a safe place.'
    : 'Signing in to Tributary no longer asks for a code from your app.';
  return {
    subject: isOn ? 'The second factor is on' : 'The second factor is off',
    sentences: [what],
    button: null,
    afterwards: [`If it was not you, choose a new password at once: ${url}`],
  };
}

export function secondFactorReplacedLetter({ url }: { readonly url: string }): Letter {
  return {
    subject: 'Your authenticator app was replaced',
    sentences: ['Codes for your account at Tributary now come from another app. The former app and its recovery codes stopped working.'],
    button: null,
    afterwards: [`If it was not you, choose a new password now: ${url}`],
  };
}

const browserLengthMax = 150;

export function newDeviceLetter({ browser, at, url }: { readonly browser: string; readonly at: Date; readonly url: string }): Letter {
  return {
    subject: 'A new device signed in to your account',
    sentences: [
      `Your account at Tributary was signed in to from a browser that it did not know, at ${at.toISOString()}.`,
      `The browser calls itself: ${browser === '' ? 'nothing' : browser.slice(0, browserLengthMax)}`,
    ],
    button: { label: 'See your sessions and devices', url },
    afterwards: ['If it was not you, choose a new password now, and end all sessions and keys.'],
  };
}

/** Whoever sends a wrong code has the password. */
export function wrongCodeLetter({ url }: { readonly url: string }): Letter {
  return {
    subject: 'Somebody entered a wrong code for your account',
    sentences: ['Your password was right, but the code of the second factor was wrong, so nobody was let in.'],
    button: null,
    afterwards: [`If it was not you, somebody knows your password. Choose a new one now: ${url}`, 'We write this at most once an hour.'],
  };
}

export type NewKey = { readonly name: string; readonly last4: string; readonly by: string; readonly of: string; readonly url: string };

export function newKeyLetter({ name, last4, by, of, url }: NewKey): Letter {
  return {
    subject: 'A new API key was created',
    sentences: [`${by} created the API key “${name}” (ends with ${last4}) for ${of}.`],
    button: { label: 'See the API keys', url },
    afterwards: ['If nobody should have done this, revoke the key, and let its creator choose a new password.'],
  };
}
