import { Chip } from '../../ui/chip.tsx';
import type { RiskCase } from './risk-api.ts';

/** The current effect of a case. */
export function RiskCaseStatusChip({ riskCase: { state, enforced } }: { readonly riskCase: Pick<RiskCase, 'state' | 'enforced'> }) {
  switch (state) {
    case 'open':
      return enforced ? (
        <Chip label="Holding" tone="wait" meaning="What the case is about is not paid out." />
      ) : (
        <Chip label="Would hold" tone="neutral" meaning="Nothing is kept back: enforcement is off in the risk settings." />
      );
    case 'escalated':
      return <Chip label="Escalated" tone="bad" meaning="An operator took action. What the case is about is still not paid out." />;
    case 'released':
      return <Chip label="Released" tone="good" meaning="Payouts continue." />;
  }
}
