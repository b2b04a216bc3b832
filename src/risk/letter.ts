import type { Letter } from '../notify/letter.ts';
import { ruleSentences, type RiskRule } from './case.ts';

type NewCases = { readonly rules: readonly RiskRule[]; readonly url: string };

/** To the operators: one mail about everything that is new, with no name in it. */
export function newCasesLetter({ rules, url }: NewCases): Letter {
  const counts = [...Map.groupBy(rules, (rule) => rule)].map(([rule, all]) => `${all.length} × ${ruleSentences[rule]}`);
  return {
    subject: rules.length === 1 ? 'A new risk case keeps payouts back' : `${rules.length} new risk cases keep payouts back`,
    sentences: ['Until an operator releases them, what these cases are about is not paid out.', ...counts],
    button: { label: 'Review the cases', url },
    afterwards: [],
  };
}

type SettingsChange = { readonly looser: readonly string[]; readonly byName: string; readonly url: string };

const keepsLess = (looser: readonly string[]): readonly string[] =>
  looser.length === 0 ? [] : [`It keeps less back: ${looser.join(', ')}.`];

/** To all operators: nobody loosens what protects from one of them unseen. */
export const settingsAskedLetter = ({ looser, byName, url }: SettingsChange): Letter => ({
  subject: `${byName} asks to loosen the risk settings`,
  sentences: [
    `${byName} asked for risk settings that keep less back from payouts: ${looser.join(', ')}.`,
    'They are in force only once another operator sets the same. Until then the present ones stay.',
  ],
  button: { label: 'Open the settings', url },
  afterwards: [],
});

export const settingsChangedLetter = ({ looser, byName, url }: SettingsChange): Letter => ({
  subject: `${byName} changed the risk settings`,
  sentences: [`${byName} changed what is kept back from payouts.`, ...keepsLess(looser)],
  button: { label: 'Open the settings', url },
  afterwards: ['If this surprises you, talk to your colleagues now.'],
});

type ReserveReleased = { readonly storeName: string; readonly byName: string; readonly reason: string; readonly url: string };

export const reserveReleasedLetter = ({ storeName, byName, reason, url }: ReserveReleased): Letter => ({
  subject: `${byName} ended the reserve period of ${storeName}`,
  sentences: [
    `${byName} ended the reserve period of ${storeName} early: its first payments are payable now.`,
    `The reason given: ${reason}`,
  ],
  button: { label: 'Open the risk page', url },
  afterwards: ['If this surprises you, talk to your colleagues now.'],
});
