import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { useIsWorthAPlace } from '../parts/has-rows.ts';
import { Page, Section } from '../parts/page.tsx';
import { listing, refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Invitations } from '../people/invitations.tsx';
import type { OperatorApproval } from './operator-api.ts';

type Operator = {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly second_factor: boolean;
  /** A new operator agrees to nothing that needs two people before. */
  readonly established_at: string | null;
};

export function Operators() {
  return (
    <Page title="Operators" intro="Who runs this installation. An operator may do everything, in every store.">
      <Section title="People" flush>
        <PagedTable
          caption="Operators"
          list={listing<Operator>('/operators')}
          keyOf={({ user_id: id }) => id}
          columns={columns}
          empty={null}
        />
      </Section>
      <Approvals />
      <Invitations path="/operator-invitations" withRole={false} mayChange />
    </Page>
  );
}

const columns: ReadonlyArray<Column<Operator>> = [
  { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { title: 'E-mail', cell: ({ email }) => email },
  {
    title: 'Second factor',
    cell: ({ second_factor: isOn }) =>
      isOn ? (
        <Chip word="On" tone="good" meaning="Signing in asks for a code from their app." />
      ) : (
        <Chip word="Off" tone="wait" meaning="Their password alone opens everything. Ask them to set up a second factor." />
      ),
  },
  {
    title: 'Confirms payouts',
    cell: ({ established_at: from }) =>
      from === null ? (
        'yes'
      ) : (
        <>
          from <Time at={from} />
        </>
      ),
  },
  { title: 'Change', kind: 'actions', cell: (operator) => <Remove operator={operator} /> },
];

/** Shown where somebody waits: nobody is needed where the rules are off, or no other operator is there. */
function Approvals() {
  const list = listing<OperatorApproval>('/operator-approvals');
  if (!useIsWorthAPlace(list)) return null;
  return (
    <Section
      title="Waiting for approval"
      intro="A new operator is approved by somebody who did not invite them, before or after they accept."
      flush
    >
      <PagedTable caption="New operators" list={list} keyOf={({ invitation_id: id }) => id} columns={approvalColumns} empty={null} />
    </Section>
  );
}

const approvalColumns: ReadonlyArray<Column<OperatorApproval>> = [
  { title: 'E-mail', cell: ({ email, name }) => <strong>{name === null ? email : `${name}, ${email}`}</strong> },
  { title: 'Invited by', cell: ({ invited_by_name: name }) => name ?? 'an API key' },
  { title: 'State', cell: ({ has_joined: hasJoined }) => (hasJoined ? 'accepted, waits for approval' : 'has not accepted yet') },
  { title: 'Change', kind: 'actions', cell: (approval) => <Approve approval={approval} /> },
];

function Approve({
  approval: { invitation_id: id, email, you_may_approve: may, why_not: whyNot },
}: {
  readonly approval: OperatorApproval;
}) {
  const client = useQueryClient();
  const done = () => client.invalidateQueries();
  return (
    <>
      {may ? (
        <ConfirmButton
          label="Approve"
          of={email}
          look="subtle"
          title={`Approve ${email} as an operator?`}
          confirm="Approve"
          run={async () => {
            await api.post(`/operator-approvals/${id}`);
            await done();
          }}
        >
          <p>They will operate every store, and may confirm payouts 72 hours later. You may be asked for your password.</p>
        </ConfirmButton>
      ) : (
        <span>{whyNot}</span>
      )}
      <ConfirmButton
        label="Decline"
        of={email}
        look="subtle"
        danger
        title={`Decline ${email}?`}
        confirm="Decline"
        run={async () => {
          await api.delete(`/operator-approvals/${id}`);
          await done();
        }}
      >
        <p>The invitation stops working. If they accepted it already, their account stays without the right of an operator.</p>
      </ConfirmButton>
    </>
  );
}

function Remove({ operator: { user_id: id, name } }: { readonly operator: Operator }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(`/operators/${id}`);
    await refresh(client, '/operators');
  };
  return (
    <ConfirmButton
      label="Remove"
      of={name}
      look="subtle"
      danger
      title={`Take the operator’s right from ${name}?`}
      confirm="Take it"
      run={run}
    >
      <p>
        Their account stays, with what it has in stores. API keys that only an operator could make end too: a program that uses one of
        theirs stops.
      </p>
    </ConfirmButton>
  );
}
