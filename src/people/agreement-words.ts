import { inviterDays, newOperatorHours, type AgreementDecision } from './decide-agreement.ts';

/** Why two people do not agree yet, for who asks now. */
export const agreementWords: Readonly<Record<Exclude<AgreementDecision, 'go' | 'ask'>, string>> = {
  no_person: 'A person has to agree to it: sign in. An API key agrees to nothing.',
  new_operator: `You are an operator for less than ${newOperatorHours} hours, so you cannot agree to this yet.`,
  asker_is_new: `The person who asked for it is an operator for less than ${newOperatorHours} hours; try again later.`,
  invited_recently: `One of you invited the other within the last ${inviterDays} days; another operator has to agree, or wait until then.`,
};
