import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../api.ts';
import { usd } from '../parts/amounts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Drawer, DrawerPart } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { SelectField, TextAreaField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CreatorLink, StoreLink } from './named.tsx';
import styles from './operator.module.css';
import { riskCasePath, riskCaseReading, ruleName, type WholeRiskCase } from './risk-api.ts';
import { RiskChip } from './risk-chip.tsx';

/** One case: what was found, what it is about in money, what was decided, and what an operator can do. */
export function RiskCaseDrawer({ id, close }: { readonly id: string; readonly close: () => void }) {
  const found = useQuery(riskCaseReading(id));
  return (
    <Drawer title={found.isSuccess ? ruleName(found.data.rule) : 'Risk case'} opened onClose={close}>
      {found.isPending && <Waiting lines={4} />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <WholeCase riskCase={found.data} />}
    </Drawer>
  );
}

function WholeCase({ riskCase }: { readonly riskCase: WholeRiskCase }) {
  const { sentence, affected, evidence, creators, history } = riskCase;
  return (
    <>
      <p>{sentence}</p>
      <DrawerPart title="About">
        <Facts facts={aboutOf(riskCase)} />
      </DrawerPart>
      <DrawerPart title="Evidence">
        <Facts facts={evidence.map(({ what, found, compared }) => [what, compared === null ? found : `${found} (${compared})`] as const)} />
      </DrawerPart>
      <DrawerPart title="Amounts">
        <Facts
          facts={[
            ['Not collected yet', usd(affected.ahead_cents)],
            ['Collected, not paid out', usd(affected.collected_cents)],
            ['In payouts on their way', usd(affected.in_payout_cents)],
            ['Paid out: the exposure', <strong key="p">{usd(affected.paid_cents)}</strong>],
          ]}
        />
      </DrawerPart>
      {creators.length > 0 && (
        <DrawerPart title="Creators on this invoice">
          <Facts
            facts={creators.map(({ creator_id: id, creator_name: name, paid_cents: paid, open_cents: open }) => [
              name,
              <span key={id}>
                {usd(paid)} paid, {usd(open)} not paid <CreatorLink id={id} />
              </span>,
            ])}
          />
        </DrawerPart>
      )}
      <DrawerPart title="History">
        <ul>
          {history.map(({ action, reason, by_name: by, at }) => (
            <li key={`${at} ${action}`}>
              <Time at={at} /> {actionWords[action]} by {by}
              {reason !== null && <div className={styles.quiet}>{reason}</div>}
            </li>
          ))}
        </ul>
      </DrawerPart>
      {riskCase.state !== 'released' && (
        <DrawerPart title="Decide">
          <Actions riskCase={riskCase} />
        </DrawerPart>
      )}
    </>
  );
}

const actionWords: Readonly<Record<WholeRiskCase['history'][number]['action'], string>> = {
  opened: 'Opened',
  enforced: 'Enforced',
  evidence: 'Evidence added',
  kept: 'Kept holding',
  released: 'Released',
  escalated: 'Escalated',
};

function aboutOf(riskCase: WholeRiskCase): ReadonlyArray<readonly [string, ReactNode]> {
  const { store_id: store, creator_id: creator, invoice_id: invoice, charge_id: charge } = riskCase;
  return [
    ['State', <RiskChip key="s" riskCase={riskCase} />],
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
            <TextLink key="i" to="/operator/stores/$shop" params={{ shop: store }} search={{ invoice }}>
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

type Deciding = 'release' | 'keep' | 'escalate';

const titles: Readonly<Record<Deciding, string>> = {
  release: 'Release this case?',
  keep: 'Keep holding?',
  escalate: 'Escalate this case?',
};
const effects: Readonly<Record<Deciding, string>> = {
  release: 'What the case keeps back is paid out with the next payout, unless another case keeps it back, too.',
  keep: 'Nothing changes. Your reason is added to the history.',
  escalate: 'The case keeps holding, and the action takes effect immediately.',
};
const submits: Readonly<Record<Deciding, string>> = { release: 'Release', keep: 'Keep holding', escalate: 'Escalate' };

function Actions({ riskCase }: { readonly riskCase: WholeRiskCase }) {
  const [deciding, setDeciding] = useState<Deciding | null>(null);
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
      <Dialog title={deciding === null ? '' : titles[deciding]} opened={deciding !== null} onClose={close}>
        {deciding !== null && <Decision key={deciding} riskCase={riskCase} deciding={deciding} done={done} close={close} />}
      </Dialog>
    </>
  );
}

type DecisionProps = {
  readonly riskCase: WholeRiskCase;
  readonly deciding: Deciding;
  readonly done: () => Promise<void>;
  readonly close: () => void;
};

function Decision({ riskCase: { id, store_id: store, creator_id: creator }, deciding, done, close }: DecisionProps) {
  const send = (values: Values, key: string) =>
    api.post(
      `${riskCasePath(id)}/${deciding}`,
      { reason: values.text('reason'), ...(deciding === 'escalate' && { do: values.text('do') }) },
      key,
    );
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
      submit={submits[deciding]}
      beside={
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      }
    >
      <p>{effects[deciding]}</p>
      {deciding === 'escalate' && <SelectField name="do" label="Action" data={escalations} />}
      <TextAreaField name="reason" label="Reason" description="Kept in the history and in the audit log." maxLength={500} minRows={2} />
    </Form>
  );
}
