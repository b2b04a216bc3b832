import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { toasts } from '../../ui/toasts.ts';
import { useState } from 'react';
import type { CreatorProfile } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { parseHundredths } from '../../ui/format.ts';
import { refresh } from '../../ui/queries.ts';
import { useReadOnly } from '../../ui/read-only.ts';
import { usePermission } from '../access/permissions.tsx';
import { t } from './messages.ts';

const reasonLengthMax = 500;
const orderLengthMax = 500;

const bonusesPath = (params: { readonly store: string; readonly program: string }) =>
  apiPath('/stores/{store}/programs/{program}/bonuses', params);

type AddBonusProps = { readonly store: string; readonly profile: CreatorProfile };

/** A commission without an order, in a program of which the creator is an approved member. */
export function AddBonus({ store, profile }: AddBonusProps) {
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const isReadOnly = useReadOnly();
  const mayReview = usePermission(store)('commissions:review');
  const programs = profile.memberships.filter(({ status }) => status === 'approved');
  if (!mayReview || programs.length === 0) return null;
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="default" size="xs" disabled={isReadOnly} onClick={() => setIsOpen(true)}>
        {t.add_bonus.add_bonus}
      </Button>
      <Dialog title={t.add_bonus.bonus_for({ name: profile.name })} opened={isOpen} onClose={close}>
        <Form
          send={async (values, key) => api.post(bonusesPath({ store, program: values.option('program') }), bonusOf(values, profile), key)}
          done={async () => {
            close();
            toasts.show({ message: t.add_bonus.bonus_added_review_it });
            await refresh(client, apiPath('/stores/{store}/creators/{creator}', { store, creator: profile.id }));
          }}
          submit={t.add_bonus.add_bonus}
          beside={
            <Button variant="default" onClick={close}>
              {t.add_bonus.cancel}
            </Button>
          }
        >
          <SelectField
            name="program"
            label={t.add_bonus.program}
            data={programs.map(({ program_id: value, program_name: label }) => ({ value, label }))}
          />
          <TextField name="amount_cents" label={t.add_bonus.amount_in_usd} inputMode="decimal" placeholder="25.00" data-autofocus />
          <TextField
            name="reason"
            label={t.add_bonus.reason}
            description={t.add_bonus.the_creator_will_see_this}
            maxLength={reasonLengthMax}
          />
          <TextField
            name="order_id"
            label={t.add_bonus.order}
            description={t.add_bonus.if_the_bonus_is_about}
            maxLength={orderLengthMax}
            optional
          />
        </Form>
      </Dialog>
    </>
  );
}

function bonusOf(values: Values, { id }: CreatorProfile) {
  const amount = parseHundredths(values.text('amount_cents'));
  if (amount === null || amount === 0) throw fieldError('amount_cents', t.add_bonus.must_be_an_amount);
  return { creator_id: id, amount_cents: amount, reason: values.text('reason'), order_id: values.text('order_id') || null };
}
