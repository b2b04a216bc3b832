import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { OperatorApproval, Operator } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { hasRowsOrError, ListView, ShortList, useShortList } from '../../ui/list.tsx';
import { Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { InvitationsSection } from '../access/invitations.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

export function Operators() {
  return (
    <Page title={t.operators.operators} intro={t.operators.people_who_run_this_installation}>
      <Section title={t.operators.people} flush>
        <ShortList caption={t.operators.operators} path={'/operators'} keyOf={({ user_id: id }) => id} columns={columns} empty={null} />
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
  { title: t.operators.name, cell: ({ name }) => <strong>{name}</strong> },
  { title: t.operators.email, cell: ({ email }) => email },
  {
    title: t.operators.two_factor_authentication,
    cell: ({ second_factor: isOn }) =>
      isOn ? (
        <Chip label={t.operators.on} tone="good" meaning={t.operators.signing_in_requires_a_code} />
      ) : (
        <Chip label={t.operators.off} tone="wait" meaning={t.operators.their_password_alone_gives_full} />
      ),
  },
  {
    title: t.operators.can_confirm_payouts,
    cell: ({ established_at: from }) => (from === null ? t.operators.yes : <>{rich(t.operators.from, { time: <Time at={from} /> })}</>),
  },
  { title: t.operators.change, kind: 'actions', cell: (operator) => <RemoveOperatorButton operator={operator} /> },
];

/** Shown only when an approval is pending: none is needed when the rules are off or there is no other operator. */
function PendingApprovals() {
  const list = useShortList('/operator-approvals');
  if (!hasRowsOrError(list)) return null;
  return (
    <Section title={t.operators.waiting_for_approval} intro={t.operators.an_operator_who_did_not} flush>
      <ListView
        caption={t.operators.new_operators}
        list={list}
        keyOf={({ invitation_id: id }) => id}
        columns={approvalColumns}
        empty={null}
      />
    </Section>
  );
}

const approvalColumns: ReadonlyArray<Column<OperatorApproval>> = [
  { title: t.operators.email, cell: ({ email, name }) => <strong>{name === null ? email : `${name}, ${email}`}</strong> },
  { title: t.operators.invited_by, cell: ({ invited_by_name: name }) => name ?? t.operators.an_api_key },
  {
    title: t.operators.state,
    cell: ({ has_joined: hasJoined }) => (hasJoined ? t.operators.accepted_waiting_for_approval : t.operators.not_accepted_yet),
  },
  { title: t.operators.change, kind: 'actions', cell: (approval) => <ApprovalActions approval={approval} /> },
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
          label={t.operators.approve}
          subject={email}
          variant="subtle"
          title={t.operators.approve_as_an_operator({ email })}
          confirm={t.operators.approve}
          run={async () => {
            await api.post(apiPath('/operator-approvals/{invitation}', { invitation: id }));
            await done();
          }}
        >
          <p>{t.operators.they_get_full_access_to}</p>
        </ConfirmButton>
      ) : (
        <span>{whyNot}</span>
      )}
      <ConfirmButton
        label={t.operators.decline}
        subject={email}
        variant="subtle"
        danger
        title={t.operators.decline_2({ email })}
        confirm={t.operators.decline}
        run={async () => {
          await api.delete(apiPath('/operator-approvals/{invitation}', { invitation: id }));
          await done();
        }}
      >
        <p>{t.operators.the_invitation_stops_working_if}</p>
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
      label={t.operators.remove}
      subject={name}
      variant="subtle"
      danger
      title={t.operators.remove_operator_access_for({ name })}
      confirm={t.operators.remove_access}
      run={run}
    >
      <p>{t.operators.their_account_and_their_store}</p>
    </ConfirmButton>
  );
}
