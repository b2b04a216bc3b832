import { Button, ButtonGroup } from '../../ui/button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { RiskCaseDetails, RiskCase } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** A risk case: evidence, amounts, history, and the decisions an operator can make. */
export function RiskCaseDrawer({ id, close }: { readonly id: string; readonly close: () => void }) {
  const found = useQuery(riskCaseQuery(id));
  return (
    <Drawer title={found.isSuccess ? riskRuleLabel(found.data.rule) : t.risk_case.risk_case} opened onClose={close}>
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
      <DrawerSection title={t.risk_case.about}>
        <DescriptionList items={relatedItems(riskCase)} />
      </DrawerSection>
      <DrawerSection title={t.risk_case.evidence}>
        <DescriptionList
          items={evidence.map(({ what, found, compared }) => [what, compared === null ? found : `${found} (${compared})`] as const)}
        />
      </DrawerSection>
      <DrawerSection title={t.risk_case.amounts}>
        <DescriptionList
          items={[
            [t.risk_case.not_collected_yet, formatUsd(affected.ahead_cents)],
            [t.risk_case.collected_not_paid_out, formatUsd(affected.collected_cents)],
            [t.risk_case.in_payouts_in_progress, formatUsd(affected.in_payout_cents)],
            [t.risk_case.paid_out_exposure, <strong key="p">{formatUsd(affected.paid_cents)}</strong>],
          ]}
        />
      </DrawerSection>
      {creators.length > 0 && (
        <DrawerSection title={t.risk_case.creators_on_this_invoice}>
          <DescriptionList
            items={creators.map(({ creator_id: id, creator_name: name, paid_cents: paid, open_cents: open }) => [
              name,
              <span key={id}>{rich(t.risk_case.paid_not_paid({ paid, open }), { creator_link: <CreatorLink id={id} /> })}</span>,
            ])}
          />
        </DrawerSection>
      )}
      <DrawerSection title={t.risk_case.history}>
        <ul>
          {history.map(({ action, resolution, amount_cents: amount, reason, by_name: by, at }) => (
            <li key={`${at} ${action}`}>
              <Time at={at} /> {historyLabels[action]} {t.risk_case.by} {by}
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
        <DrawerSection title={t.risk_case.review}>
          <RiskCaseActions riskCase={riskCase} />
        </DrawerSection>
      )}
    </>
  );
}

const historyLabels: Readonly<Record<RiskCaseDetails['history'][number]['action'], string>> = {
  opened: t.risk_case.opened,
  enforced: t.risk_case.enforced,
  evidence: t.risk_case.evidence_added,
  kept: t.risk_case.hold_kept,
  released: t.risk_case.released,
  escalated: t.risk_case.escalated,
};

const resolutionLabels = { loss_booked: t.risk_case.booked_as_a_loss, reinvoiced: t.risk_case.invoiced_again } as const;

function relatedItems(riskCase: RiskCaseDetails): ReadonlyArray<readonly [string, ReactNode]> {
  const { store_id: store, creator_id: creator, invoice_id: invoice, charge_id: charge } = riskCase;
  return [
    [t.risk_case.state, <RiskCaseStatusChip key="s" riskCase={riskCase} />],
    ...(store === null ? [] : [[t.risk_case.store, <StoreLink key="t" id={store} />] as const]),
    ...(creator === null
      ? []
      : [
          [t.risk_case.creator, <CreatorLink key="c" id={creator} />] as const,
          ...(store === null
            ? []
            : ([
                [
                  t.risk_case.commissions,
                  <TextLink key="m" to="/stores/$store/conversions" params={{ store }} search={{ creator_id: creator }}>
                    {t.risk_case.commissions_of_this_creator}
                  </TextLink>,
                ],
              ] as const)),
        ]),
    ...(invoice === null || store === null
      ? []
      : [
          [
            t.risk_case.invoice,
            <TextLink key="i" to="/operator/stores/$storeId" params={{ storeId: store }} search={{ invoice }}>
              {t.risk_case.open_the_invoice}
            </TextLink>,
          ] as const,
        ]),
    ...(charge === null ? [] : [[t.risk_case.charge, <span key="g" className="mono" children={charge} />] as const]),
    [
      t.risk_case.payouts,
      <TextLink key="p" to="/operator/payouts">
        {t.risk_case.all_payouts}
      </TextLink>,
    ],
  ];
}

type RiskDecision = 'release' | 'keep' | 'escalate' | 'book-loss' | 'reinvoice';

const decisionTitles: Readonly<Record<RiskDecision, string>> = {
  release: t.risk_case.release_this_case,
  keep: t.risk_case.keep_holding,
  escalate: t.risk_case.escalate_this_case,
  'book-loss': t.risk_case.book_the_refund_as,
  reinvoice: t.risk_case.invoice_the_store_again,
};
const decisionEffects: Readonly<Record<RiskDecision, string>> = {
  release: t.risk_case.amounts_that_the_case_holds,
  keep: t.risk_case.nothing_else_changes_your_reason,
  escalate: t.risk_case.the_case_keeps_its_hold,
  'book-loss': t.risk_case.you_bear_the_refund_the,
  reinvoice: t.risk_case.the_store_owes_the_full,
};
const decisionLabels: Readonly<Record<RiskDecision, string>> = {
  release: t.risk_case.release,
  keep: t.risk_case.keep_holding_2,
  escalate: t.risk_case.escalate,
  'book-loss': t.risk_case.book_as_loss,
  reinvoice: t.risk_case.invoice_again,
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
      <ButtonGroup>
        <Button size="xs" onClick={() => setDeciding('release')}>
          {t.risk_case.release}
        </Button>
        <Button size="xs" variant="default" onClick={() => setDeciding('keep')}>
          {t.risk_case.keep_holding_2}
        </Button>
        <Button size="xs" variant="default" onClick={() => setDeciding('escalate')}>
          {t.risk_case.escalate}
        </Button>
      </ButtonGroup>
      {riskCase.rule === 'outside_refund' && (
        <ButtonGroup>
          <Button size="xs" variant="default" onClick={() => setDeciding('book-loss')}>
            {t.risk_case.book_as_loss}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDeciding('reinvoice')}>
            {t.risk_case.invoice_again}
          </Button>
        </ButtonGroup>
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
    ...(creator === null ? [] : [{ value: 'suspend_creator', label: t.risk_case.suspend_creator }]),
    ...(store === null
      ? []
      : [
          { value: 'disable_integration', label: t.risk_case.disable_the_stores_integration },
          { value: 'archive_store', label: t.risk_case.archive_store },
        ]),
  ];
  return (
    <Form
      send={send}
      done={done}
      submit={decisionLabels[deciding]}
      beside={
        <Button variant="default" onClick={close}>
          {t.risk_case.cancel}
        </Button>
      }
    >
      <p>{decisionEffects[deciding]}</p>
      {deciding === 'escalate' && <SelectField name="do" label={t.risk_case.action} data={escalations} />}
      <TextAreaField
        name="reason"
        label={t.risk_case.reason}
        description={t.risk_case.recorded_in_the_history_and}
        maxLength={500}
        rows={2}
      />
    </Form>
  );
}

/** The current effect of a case. */
export function RiskCaseStatusChip({ riskCase: { state, enforced } }: { readonly riskCase: Pick<RiskCase, 'state' | 'enforced'> }) {
  switch (state) {
    case 'open':
      return enforced ? (
        <Chip label={t.risk_case.holding} tone="wait" meaning={t.risk_case.the_amounts_of_this_case} />
      ) : (
        <Chip label={t.risk_case.would_hold} tone="neutral" meaning={t.risk_case.nothing_is_held_because_enforcemen} />
      );
    case 'escalated':
      return <Chip label={t.risk_case.escalated} tone="bad" meaning={t.risk_case.an_operator_took_action_the} />;
    case 'released':
      return <Chip label={t.risk_case.released} tone="good" meaning={t.risk_case.payouts_continue} />;
  }
}
