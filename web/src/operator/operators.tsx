import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Page, Section } from '../parts/page.tsx';
import { listing, refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Invitations } from '../people/invitations.tsx';

type Operator = { readonly user_id: string; readonly email: string; readonly name: string; readonly second_factor: boolean };

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
  { title: 'Change', kind: 'actions', cell: (operator) => <Remove operator={operator} /> },
];

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
