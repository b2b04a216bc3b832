import { enqueueEmail } from '../notify/enqueue-email.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { takeUnnotifiedCases } from './cases-sql.ts';
import { applyPairHolds } from './release-case.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { type RiskRule, ruleSentences } from './risk-case.ts';

/** The queue runs this task each minute. */
export const maintainRiskCasesTask = 'tend_risk';

/** Holds new commissions of matching pairs, releases those of released cases, and emails the operators about new cases. */
export async function maintainRiskCases(platform: Platform): Promise<void> {
  await applyPairHolds(platform);
  await mailNewCases(platform);
}

const casesPerMailMax = 1_000;

/** Sends at most one email a minute, for any number of cases. */
async function mailNewCases({ database, clock, config, secrets }: Platform): Promise<void> {
  await database.transaction(async (tx) => {
    const cases = await takeUnnotifiedCases(tx, clock.now(), casesPerMailMax);
    if (cases.length === 0) return;
    const content = newCasesEmail({ rules: cases.map(({ rule }) => rule), url: `${config.baseUrl}/operator/risk` });
    for (const { email } of await listOperatorUsers(tx, { most: operatorsMax }))
      await enqueueEmail(tx, secrets, { to: email, content: content, storeId: null });
  });
}

type NewCases = { readonly rules: readonly RiskRule[]; readonly url: string };

/** To the operators: one email about all new cases, without names. */
export function newCasesEmail({ rules, url }: NewCases): EmailContent {
  const counts = [...Map.groupBy(rules, (rule) => rule)].map(([rule, all]) => `${all.length} × ${ruleSentences[rule]}`);
  return {
    subject: rules.length === 1 ? 'A new risk case keeps payouts back' : `${rules.length} new risk cases keep payouts back`,
    paragraphs: ['Until an operator releases them, what these cases are about is not paid out.', ...counts],
    button: { label: 'Review the cases', url },
    footnotes: [],
  };
}

type SettingsChange = { readonly looser: readonly string[]; readonly byName: string; readonly url: string };

const keepsLess = (looser: readonly string[]): readonly string[] =>
  looser.length === 0 ? [] : [`It keeps less back: ${looser.join(', ')}.`];

/** To all operators, so that no operator loosens the protection against operators unnoticed. */
export const looserSettingsRequestedEmail = ({ looser, byName, url }: SettingsChange): EmailContent => ({
  subject: `${byName} asks to loosen the risk settings`,
  paragraphs: [
    `${byName} asked for risk settings that keep less back from payouts: ${looser.join(', ')}.`,
    'They are in force only once another operator sets the same. Until then the present ones stay.',
  ],
  button: { label: 'Open the settings', url },
  footnotes: [],
});

export const settingsChangedEmail = ({ looser, byName, url }: SettingsChange): EmailContent => ({
  subject: `${byName} changed the risk settings`,
  paragraphs: [`${byName} changed what is kept back from payouts.`, ...keepsLess(looser)],
  button: { label: 'Open the settings', url },
  footnotes: ['If this surprises you, talk to your colleagues now.'],
});

type ReserveReleased = { readonly storeName: string; readonly byName: string; readonly reason: string; readonly url: string };

export const reserveReleasedEmail = ({ storeName, byName, reason, url }: ReserveReleased): EmailContent => ({
  subject: `${byName} ended the reserve period of ${storeName}`,
  paragraphs: [
    `${byName} ended the reserve period of ${storeName} early: its first payments are payable now.`,
    `The reason given: ${reason}`,
  ],
  button: { label: 'Open the risk page', url },
  footnotes: ['If this surprises you, talk to your colleagues now.'],
});
