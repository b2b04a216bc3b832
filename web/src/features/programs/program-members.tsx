import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import type { Member } from '../../../../sdk/src/api-schema.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ListView, useShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ProgramLinks } from './program-links.tsx';
import { MemberActions, MemberStatusChip } from '../creators/member-status.tsx';
import { membersPath } from '../creators/members-api.ts';
import { groupsPath, programPath } from './programs-api.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type ProgramIds = { readonly store: string; readonly program: string };
type ProgramMembersProps = ProgramIds & { readonly mayChange: boolean };

/** So many that the names of the creators of links are usually known. */
const membersPerPage = 200;

/** The members of a program and their links. */
export function ProgramMembers({ mayChange, ...ids }: ProgramMembersProps) {
  const list = useShortList(membersPath(ids.store, ids.program), { rowsPerPage: membersPerPage });
  return (
    <>
      <Section
        title={t.program_members.members}
        intro={t.program_members.creators_who_can_earn_commissions}
        flush
        actions={mayChange && <AddMemberButton {...ids} />}
      >
        <ListView
          caption={t.program_members.members}
          list={list}
          keyOf={({ id }) => id}
          columns={columnsOf(ids, mayChange)}
          empty={
            <EmptyState title={t.program_members.no_members_yet}>
              {rich(t.program_members.ask_a_creator_for_their, { code: <code /> })}
            </EmptyState>
          }
        />
      </Section>
      <ProgramLinks {...ids} members={list.rows} mayChange={mayChange} />
    </>
  );
}

function AddMemberButton({ store, program }: ProgramIds) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, programPath(store, program));
    setOpened(false);
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        {t.program_members.add_creator}
      </Button>
      <Dialog title={t.program_members.add_creator} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) => api.post(membersPath(store, program), { creator_id: values.text('creator_id') }, key)}
          done={done}
          submit={t.program_members.add}
        >
          <TextField
            name="creator_id"
            label={t.program_members.creator_id}
            description={t.program_members.creators_find_it_on_their}
            placeholder="crt_…"
            data-autofocus
            maxLength={40}
          />
        </Form>
      </Dialog>
    </>
  );
}

/** Moves a member into a group, or out of one; only if the program has groups. */
function MoveButton({ store, program, member }: ProgramIds & { readonly member: Member }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const groups = useShortList(groupsPath(store, program), { rowsPerPage: membersPerPage });
  if (groups.rows.length === 0 || member.status === 'removed') return null;
  const path = apiPath('/stores/{store}/programs/{program}/members/{member}/group', { store, program, member: member.id });
  const done = async () => {
    await refresh(client, programPath(store, program));
    setOpened(false);
  };
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        aria-label={t.program_members.change_group_of({ name: member.creator_name })}
        onClick={() => setOpened(true)}
      >
        {t.program_members.change_group}
      </Button>
      <Dialog title={t.program_members.change_group_of({ name: member.creator_name })} opened={opened} onClose={() => setOpened(false)}>
        <Form send={(values) => api.put(path, { group_id: values.text('group_id') || null })} done={done} submit={t.program_members.save}>
          <SelectField
            name="group_id"
            label={t.program_members.group}
            description={t.program_members.orders_from_now_on}
            defaultValue={member.group?.id ?? ''}
            data={[{ value: '', label: t.program_members.none }, ...groups.rows.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (of: ProgramIds, mayChange: boolean): ReadonlyArray<Column<Member>> => [
  {
    title: t.program_members.creator,
    kind: 'name',
    cell: ({ creator_id: creator, creator_name: name }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store: of.store, creator }} className="strong">
        {name}
      </TextLink>
    ),
    priority: true,
  },
  { title: t.program_members.state, cell: (member) => <MemberStatusChip {...member} />, priority: true },
  { title: t.program_members.group, cell: ({ group }) => group?.name ?? t.program_members.none },
  { title: t.program_members.since, cell: ({ since }) => <Time at={since} dateOnly />, priority: true },
  ...(mayChange
    ? [
        {
          title: t.program_members.change,
          kind: 'actions' as const,
          cell: (member: Member) => (
            <>
              <MoveButton {...of} member={member} />
              <MemberActions {...of} member={member} />
            </>
          ),
        },
      ]
    : []),
];
