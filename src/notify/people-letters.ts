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

export function passwordChangedLetter({ url }: { readonly url: string }): Letter {
  return {
    subject: 'Your password was changed',
    sentences: ['The password of your account at Tributary was changed. All other sessions were ended.'],
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
