import { useState } from 'react';
import { FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, type Values } from '../../ui/form.tsx';
import type { ProgramSettings } from './programs-api.ts';

/** The attribution window, refund hold and approval, with common defaults. */
export function ProgramSettingsFields({ former }: { readonly former: ProgramSettings }) {
  const [approval, setApproval] = useState<string>(former.approval);
  return (
    <>
      <FieldRow>
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
      </FieldRow>
      <FieldRow>
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
      </FieldRow>
    </>
  );
}

export function parseSettings(values: Values) {
  const approval = values.text('approval');
  return {
    attribution_days: parseWholeNumber(values, 'attribution_days'),
    hold_days: parseWholeNumber(values, 'hold_days'),
    approval,
    auto_approve_days: approval === 'auto' ? parseWholeNumber(values, 'auto_approve_days') : null,
  };
}

export function parseWholeNumber(values: Values, name: string): number {
  const typed = values.text(name);
  if (!/^\d{1,9}$/.test(typed)) throw fieldError(name, 'must be a whole number');
  return Number(typed);
}
