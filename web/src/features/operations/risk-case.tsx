import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { RiskCaseDetails, RiskCase } from '../../api/api-schema.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Drawer, DrawerSection } from '../../ui/drawer.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { formatUsd } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Time } from '../../ui/time.tsx';
import { CreatorLink, StoreLink } from './entity-links.tsx';
import styles from './operator.module.css';
import { riskCaseQuery, riskRuleLabel } from './risk-api.ts';

/** A risk case: evidence, amounts, history, and the decisions an operator can make. */
export function RiskCaseDrawer({ id, close }: { readonly id: string; readonly close: () => void }) {
  const found = useQuery(riskCaseQuery(id));
  return (
    <Drawer title={found.isSuccess ? riskRuleLabel(found.data.rule) : 'Risk case'} opened onClose={close}>
      <QueryView query={found} lines={4}>
        {(data) => <RiskCaseContent riskCase={data} />}
      </QueryView>
    </Drawer>
  );
}

function RiskCaseContent({ riskCase }: { readonly riskCase: RiskCaseDetails }) {
  const { sentence, affected, evidence, creators, history } = riskCase;
  return (
    <>
      <p>{sentence}</p>
      <DrawerSection title="About">
        <DescriptionList items={relatedItems(riskCase)} />
      </DrawerSection>
      <DrawerSection title="Evidence">
        <DescriptionList
          items={evidence.map(({ what, found, compared }) => [what, compared === null ? found : `${found} (${compared})`] as const)}
        />
      </DrawerSection>
      <DrawerSection title="Amounts">
        <DescriptionList
          items={[
            ['Not collected yet', formatUsd(affected.ahead_cents)],
            ['Collected, not paid out', formatUsd(affected.collected_cents)],
            ['In payouts on their way', formatUsd(affected.in_payout_cents)],
            ['Paid out: the exposure', <strong key="p">{formatUsd(affected.paid_cents)}</strong>],
          ]}
        />
      </DrawerSection>
      {creators.length > 0 && (
        <DrawerSection title="Creators on this invoice">
          <DescriptionList
            items={creators.map(({ creator_id: id, creator_name: name, paid_cents: paid, open_cents: open }) => [
              name,
              <span key={id}>
                {formatUsd(paid)} paid, {formatUsd(open)} not paid <CreatorLink id={id} />
              </span>,
            ])}
          />
        </DrawerSection>
      )}
      <DrawerSection title="History">
        <ul>
          {history.map(({ action, resolution, amount_cents: amount, reason, by_name: by, at }) => (
            <li key={`${at} ${action}`}>
              <Time at={at} /> {historyLabels[action]} by {by}
              {resolution !== null && amount !== null && (
                <div>
                  {resolutionLabels[resolution]}: {formatUsd(amount)}
                </div>
              )}
              {reason !== null && <div className={styles.muted}>{reason}</div>}
            </li>
          ))}
        </ul>
      </DrawerSection>
      {riskCase.state !== 'released' && (
        <DrawerSection title="Decide">
          <RiskCaseActions riskCase={riskCase} />
        </DrawerSection>
      )}
    </>
  );
}

const historyLabels: Readonly<Record<RiskCaseDetails['history'][number]['action'], string>> = {
  opened: 'Opened',
  enforced: 'Enforced',
  evidence: 'Evidence added',
  kept: 'Kept holding',
  released: 'Released',
  escalated: 'Escalated',
};

const resolutionLabels = { loss_booked: 'Booked as a loss', reinvoiced: 'Invoiced again' } as const;

function relatedItems(riskCase: RiskCaseDetails): ReadonlyArray<readonly [string, ReactNode]> {
  const { store_id: store, creator_id: creator, invoice_id: invoice, charge_id: charge } = riskCase;
  return [
    ['State', <RiskCaseStatusChip key="s" riskCase={riskCase} />],
    ...(store === null ? [] : [['Store', <StoreLink key="t" id={store} />] as const]),
    ...(creator === null
      ? []
      : [
          ['Creator', <CreatorLink key="c" id={creator} />] as const,
          ...(store === null
            ? []
            : ([
                [
                  'Commissions',
                  <TextLink key="m" to="/stores/$store/conversions" params={{ store }} search={{ creator_id: creator }}>
                    Commissions of this creator
                  </TextLink>,
                ],
              ] as const)),
        ]),
    ...(invoice === null || store === null
      ? []
      : [
          [
            'Invoice',
            <TextLink key="i" to="/operator/stores/$storeId" params={{ storeId: store }} search={{ invoice }}>
              Open the invoice
            </TextLink>,
          ] as const,
        ]),
    ...(charge === null ? [] : [['Charge', <span key="g" className="mono" children={charge} />] as const]),
    [
      'Payouts',
      <TextLink key="p" to="/operator/payouts">
        All payouts
      </TextLink>,
    ],
  ];
}

type RiskDecision = 'release' | 'keep' | 'escalate' | 'book-loss' | 'reinvoice';

const decisionTitles: Readonly<Record<RiskDecision, string>> = {
  release: 'Release this case?',
  keep: 'Keep holding?',
  escalate: 'Escalate this case?',
  'book-loss': 'Book the refund as a loss?',
  reinvoice: 'Invoice the store again?',
};
const decisionEffects: Readonly<Record<RiskDecision, string>> = {
  release: 'What the case keeps back is paid out with the next payout, unless another case keeps it back, too.',
  keep: 'Nothing changes. Your reason is added to the history.',
  escalate: 'The case keeps holding, and the action takes effect immediately.',
  'book-loss': 'You bear what was refunded: the store owes nothing, and the creators are paid with the next payout. The case is released.',
  reinvoice:
    'The store owes the whole invoice again and is past due until it pays; its creators are paid after that. Possible only for a charge that was refunded in full. The case is released.',
};
const decisionLabels: Readonly<Record<RiskDecision, string>> = {
  release: 'Release',
  keep: 'Keep holding',
  escalate: 'Escalate',
  'book-loss': 'Book as loss',
  reinvoice: 'Invoice again',
};

function RiskCaseActions({ riskCase }: { readonly riskCase: RiskCaseDetails }) {
  const [deciding, setDeciding] = useState<RiskDecision | null>(null);
  const client = useQueryClient();
  const close = () => setDeciding(null);
  const done = async () => {
    close();
    await client.invalidateQueries();
  };
  return (
    <>
      <Button.Group>
        <Button size="xs" onClick={() => setDeciding('release')}>
          Release
        </Button>
        <Button size="xs" variant="default" onClick={() => setDeciding('keep')}>
          Keep holding
        </Button>
        <Button size="xs" variant="default" onClick={() => setDeciding('escalate')}>
          Escalate
        </Button>
      </Button.Group>
      {riskCase.rule === 'outside_refund' && (
        <Button.Group>
          <Button size="xs" variant="default" onClick={() => setDeciding('book-loss')}>
            Book as loss
          </Button>
          <Button size="xs" variant="default" onClick={() => setDeciding('reinvoice')}>
            Invoice again
          </Button>
        </Button.Group>
      )}
      <Dialog title={deciding === null ? '' : decisionTitles[deciding]} opened={deciding !== null} onClose={close}>
        {deciding !== null && <DecisionForm key={deciding} riskCase={riskCase} deciding={deciding} done={done} close={close} />}
      </Dialog>
    </>
  );
}

type DecisionFormProps = {
  readonly riskCase: RiskCaseDetails;
  readonly deciding: RiskDecision;
  readonly done: () => Promise<void>;
  readonly close: () => void;
};

type Escalation = RequestBody<'/risk/cases/{case}/escalate', 'post'>['do'];

function DecisionForm({ riskCase: { id, store_id: store, creator_id: creator }, deciding, done, close }: DecisionFormProps) {
  const send = (values: Values, key: string) =>
    deciding === 'escalate'
      ? api.post(
          apiPath('/risk/cases/{case}/escalate', { case: id }),
          { reason: values.text('reason'), do: values.option<Escalation>('do') },
          key,
        )
      : api.post(apiPath(`/risk/cases/{case}/${deciding}`, { case: id }), { reason: values.text('reason') }, key);
  const escalations = [
    ...(creator === null ? [] : [{ value: 'suspend_creator', label: 'Suspend the creator' }]),
    ...(store === null
      ? []
      : [
          { value: 'disable_integration', label: 'Switch the store’s integration off' },
          { value: 'archive_store', label: 'Archive the store' },
        ]),
  ];
  return (
    <Form
      send={send}
      done={done}
      submit={decisionLabels[deciding]}
      beside={
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      }
    >
      <p>{decisionEffects[deciding]}</p>
      {deciding === 'escalate' && <SelectField name="do" label="Action" data={escalations} />}
      <TextAreaField name="reason" label="Reason" description="Kept in the history and in the audit log." maxLength={500} minRows={2} />
    </Form>
  );
}

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
