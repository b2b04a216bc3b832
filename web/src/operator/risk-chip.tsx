import { Chip } from '../parts/chip.tsx';
import type { RiskCase } from './risk-api.ts';

/** What a case does now, in a word. */
export function RiskChip({ riskCase: { state, enforced } }: { readonly riskCase: Pick<RiskCase, 'state' | 'enforced'> }) {
  switch (state) {
    case 'open':
      return enforced ? (
        <Chip word="Holding" tone="wait" meaning="What the case is about is not paid out." />
      ) : (
        <Chip word="Would hold" tone="calm" meaning="Nothing is kept back: enforcement is off in the risk settings." />
      );
    case 'escalated':
      return <Chip word="Escalated" tone="bad" meaning="An operator took action. What the case is about is still not paid out." />;
    case 'released':
      return <Chip word="Released" tone="good" meaning="Payouts continue." />;
  }
}
