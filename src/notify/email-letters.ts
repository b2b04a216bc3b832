import type { Letter } from './letter.ts';

/** Goes to the new address. */
export const confirmEmailLetter = ({ url, hours }: { readonly url: string; readonly hours: number }): Letter => ({
  subject: 'Confirm your new e-mail address at Tributary',
  sentences: ['Somebody with an account at Tributary, probably you, wants to use this address for it.'],
  button: { label: 'Confirm the address', url },
  afterwards: [`The link works once, for ${hours} hours, and only where you are signed in. If it was not you, ignore this email.`],
});

/** Goes to an address that another account has: the page says nothing about it. */
export const emailTakenLetter = ({ url }: { readonly url: string }): Letter => ({
  subject: 'This address already has an account at Tributary',
  sentences: [
    'Somebody wanted to use this address for their account at Tributary. It belongs to an account already, so nothing was changed.',
  ],
  button: { label: 'Sign in', url },
  afterwards: ['If it was not you, there is nothing to do.'],
});

/** Goes to the former address. */
export const emailChangedLetter = ({
  email,
  url,
  days,
}: {
  readonly email: string;
  readonly url: string;
  readonly days: number;
}): Letter => ({
  subject: 'The e-mail address of your account was changed',
  sentences: [
    `Your account at Tributary now uses ${email}. Emails go there from now on.`,
    'If it was not you, undo the change: you get the account back, everybody is signed out, and you choose a new password.',
  ],
  button: { label: 'Undo the change', url },
  afterwards: [`The link works once, for ${days} days. If it was you, there is nothing to do.`],
});

/** Goes to the address that was taken away again. */
export const emailRestoredLetter = (): Letter => ({
  subject: 'The change of an e-mail address was undone',
  sentences: ['The account at Tributary that used this address has its former address again. Everybody was signed out of it.'],
  button: null,
  afterwards: [],
});
