import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { OperatorApproval, Operator } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { hasRowsOrError, ListView, ShortList, useShortList } from '../../ui/list.tsx';
import { Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { InvitationsSection } from '../access/invitations.tsx';

export function Operators() {
  return (
    <Page title="Operators" intro="Who runs this installation. An operator may do everything, in every store.">
      <Section title="People" flush>
        <ShortList caption="Operators" path={'/operators'} keyOf={({ user_id: id }) => id} columns={columns} empty={null} />
      </Section>
      <PendingApprovals />
      <InvitationsSection
        path="/operator-invitations"
        pathOf={(invitation) => apiPath('/operator-invitations/{invitation}', { invitation })}
        withRole={false}
        mayChange
      />
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
        <Chip label="On" tone="good" meaning="Signing in asks for a code from their app." />
      ) : (
        <Chip label="Off" tone="wait" meaning="Their password alone opens everything. Ask them to set up a second factor." />
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
  { title: 'Change', kind: 'actions', cell: (operator) => <RemoveOperatorButton operator={operator} /> },
];

/** Shown only when an approval is pending: none is needed when the rules are off or there is no other operator. */
function PendingApprovals() {
  const list = useShortList('/operator-approvals');
  if (!hasRowsOrError(list)) return null;
  return (
    <Section
      title="Waiting for approval"
      intro="An operator who did not invite the new operator has to approve them, before or after they accept."
      flush
    >
      <ListView caption="New operators" list={list} keyOf={({ invitation_id: id }) => id} columns={approvalColumns} empty={null} />
    </Section>
  );
}

const approvalColumns: ReadonlyArray<Column<OperatorApproval>> = [
  { title: 'E-mail', cell: ({ email, name }) => <strong>{name === null ? email : `${name}, ${email}`}</strong> },
  { title: 'Invited by', cell: ({ invited_by_name: name }) => name ?? 'an API key' },
  { title: 'State', cell: ({ has_joined: hasJoined }) => (hasJoined ? 'accepted, waits for approval' : 'has not accepted yet') },
  { title: 'Change', kind: 'actions', cell: (approval) => <ApprovalActions approval={approval} /> },
];

function ApprovalActions({
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
          subject={email}
          variant="subtle"
          title={`Approve ${email} as an operator?`}
          confirm="Approve"
          run={async () => {
            await api.post(apiPath('/operator-approvals/{invitation}', { invitation: id }));
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
        subject={email}
        variant="subtle"
        danger
        title={`Decline ${email}?`}
        confirm="Decline"
        run={async () => {
          await api.delete(apiPath('/operator-approvals/{invitation}', { invitation: id }));
          await done();
        }}
      >
        <p>The invitation stops working. If they accepted it already, their account stays without the right of an operator.</p>
      </ConfirmButton>
    </>
  );
}

function RemoveOperatorButton({ operator: { user_id: id, name } }: { readonly operator: Operator }) {
  const client = useQueryClient();
  const run = async () => {
    await api.delete(apiPath('/operators/{user}', { user: id }));
    await refresh(client, '/operators');
  };
  return (
    <ConfirmButton
      label="Remove"
      subject={name}
      variant="subtle"
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
