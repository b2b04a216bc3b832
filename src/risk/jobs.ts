import { keepMail } from '../notify/mail.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { operators } from '../people/users-sql.ts';
import type { Platform } from '../platform/platform.ts';
import { takeUnmailed } from './cases-sql.ts';
import { newCasesLetter } from './letter.ts';
import { sweepPairs } from './release-case.ts';

/** The queue's name for what happens each minute: most of the time there is nothing to do. */
export const tendRiskTask = 'tend_risk';

/** Holds what matching pairs have earned since, releases what operators released, and tells the operators of new cases. */
export async function tendRisk(platform: Platform): Promise<void> {
  await sweepPairs(platform);
  await mailNewCases(platform);
}

const casesPerMailMax = 1_000;

/** One mail a minute at most, however many cases there are. */
async function mailNewCases({ database, clock, config, secrets }: Platform): Promise<void> {
  await database.transaction(async (tx) => {
    const cases = await takeUnmailed(tx, clock.now(), casesPerMailMax);
    if (cases.length === 0) return;
    const letter = newCasesLetter({ rules: cases.map(({ rule }) => rule), url: `${config.baseUrl}/operator/risk` });
    for (const { email } of await operators(tx, { most: operatorsMax })) await keepMail(tx, secrets, { to: email, letter, storeId: null });
  });
}
