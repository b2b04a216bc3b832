import { emailMessage } from '../messages/format-message.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
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
  const byRule = [...Map.groupBy(rules, (rule) => rule)];
  return {
    subject: emailMessage('risk_cases.subject', { count: rules.length }),
    paragraphs: [
      emailMessage('risk_cases.body'),
      ...byRule.map(([rule, all]) => emailMessage('risk_cases.rule', { count: all.length, rule: ruleSentences[rule] })),
    ],
    button: { label: emailMessage('risk_cases.button'), url },
    footnotes: [],
  };
}

type SettingsChange = { readonly looser: readonly string[]; readonly byName: string; readonly url: string };

/** To all operators, so that no operator loosens the protection against operators unnoticed. */
export const looserSettingsRequestedEmail = ({ looser, byName: by, url }: SettingsChange): EmailContent => ({
  subject: emailMessage('risk_settings.subject_requested', { by }),
  paragraphs: [emailMessage('risk_settings.requested', { by, looser: looser.join(', ') }), emailMessage('risk_settings.next')],
  button: { label: emailMessage('common.open_settings'), url },
  footnotes: [],
});

export const settingsChangedEmail = ({ looser, byName: by, url }: SettingsChange): EmailContent => ({
  subject: emailMessage('risk_settings.subject_changed', { by }),
  paragraphs: [
    emailMessage('risk_settings.changed', { by }),
    ...(looser.length === 0 ? [] : [emailMessage('risk_settings.looser', { looser: looser.join(', ') })]),
  ],
  button: { label: emailMessage('common.open_settings'), url },
  footnotes: [emailMessage('common.surprised')],
});

type ReserveReleased = { readonly storeName: string; readonly byName: string; readonly reason: string; readonly url: string };

export const reserveReleasedEmail = ({ storeName: store, byName: by, reason, url }: ReserveReleased): EmailContent => ({
  subject: emailMessage('reserve_released.subject', { by, store }),
  paragraphs: [emailMessage('reserve_released.body', { by, store }), emailMessage('reserve_released.reason', { reason })],
  button: { label: emailMessage('reserve_released.button'), url },
  footnotes: [emailMessage('common.surprised')],
});
