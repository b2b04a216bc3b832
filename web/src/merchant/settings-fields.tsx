import { useState } from 'react';
import { Row, SelectField, TextField } from '../parts/fields.tsx';
import { faultOf, type Values } from '../parts/form.tsx';
import type { Settings } from './programs-api.ts';

/** Window, hold and approval, with the numbers that most use. */
export function SettingsFields({ former }: { readonly former: Settings }) {
  const [approval, setApproval] = useState<string>(former.approval);
  return (
    <>
      <Row>
        <TextField
          name="attribution_days"
          label="A click counts for"
          description="Days, 1 to 365."
          inputMode="numeric"
          defaultValue={former.attribution_days}
        />
        <TextField
          name="hold_days"
          label="Hold for refunds"
          description="Days after the order, 0 to 90."
          inputMode="numeric"
          defaultValue={former.hold_days}
        />
      </Row>
      <Row>
        <SelectField
          name="approval"
          label="Approval"
          description="Who approves commissions."
          value={approval}
          onChange={(event) => setApproval(event.currentTarget.value)}
          data={[
            { value: 'manual', label: 'Somebody of us, by hand' },
            { value: 'auto', label: 'By itself, after some days' },
          ]}
        />
        {approval === 'auto' && (
          <TextField
            name="auto_approve_days"
            label="Approves itself after"
            description="Days, 3 to 90."
            inputMode="numeric"
            defaultValue={former.auto_approve_days ?? 14}
          />
        )}
      </Row>
    </>
  );
}

export function settingsIn(values: Values) {
  const approval = values.text('approval');
  return {
    attribution_days: wholeIn(values, 'attribution_days'),
    hold_days: wholeIn(values, 'hold_days'),
    approval,
    auto_approve_days: approval === 'auto' ? wholeIn(values, 'auto_approve_days') : null,
  };
}

export function wholeIn(values: Values, name: string): number {
  const typed = values.text(name);
  if (!/^\d{1,9}$/.test(typed)) throw faultOf(name, 'must be a whole number');
  return Number(typed);
}
