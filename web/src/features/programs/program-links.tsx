import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Link, Member } from '../../api/api-schema.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkFields, linkBody } from '../creators/link-fields.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { linksPath } from '../creators/members-api.ts';
import styles from './program-links.module.css';

type ProgramLinksProps = {
  readonly store: string;
  readonly program: string;
  readonly members: readonly Member[];
  readonly mayChange: boolean;
};

export function ProgramLinks({ store, program, members, mayChange }: ProgramLinksProps) {
  const approved = members.filter(({ status }) => status === 'approved');
  const names = new Map(members.map(({ creator_id: id, creator_name: name }) => [id, name]));
  return (
    <Section
      title="Links"
      intro="What creators share. Each visit through one becomes a click that an order can be traced to."
      flush
      actions={mayChange && approved.length > 0 && <CreateLinkButton store={store} program={program} approved={approved} />}
    >
      <ShortList
        caption="Links"
        path={linksPath(store, program)}
        keyOf={({ code }) => code}
        columns={columnsOf(names)}
        empty={
          <EmptyState title="No link yet">
            {approved.length === 0
              ? 'Add a creator to the program first; then make a link for them.'
              : 'Make one for a member, and send it to them.'}
          </EmptyState>
        }
      />
    </Section>
  );
}

function CreateLinkButton({
  store,
  program,
  approved,
}: Omit<ProgramLinksProps, 'members' | 'mayChange'> & { readonly approved: readonly Member[] }) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, linksPath(store, program));
    setOpened(false);
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Make a link
      </Button>
      <Dialog title="Make a link" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) =>
            api.post(
              linksPath(store, program),
              {
                creator_id: values.text('creator_id'),
                ...linkBody(values),
              },
              key,
            )
          }
          done={done}
          submit="Make the link"
        >
          <SelectField
            name="creator_id"
            label="For"
            data={approved.map(({ creator_id: value, creator_name: label }) => ({ value, label }))}
            data-autofocus
          />
          <LinkFields leadsTo="A page of the store’s own site; empty: the program’s landing page." />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (names: ReadonlyMap<string, string>): ReadonlyArray<Column<Link>> => [
  {
    title: 'Link',
    cell: ({ url }) => (
      <span className={styles.link}>
        <span className="mono">{url}</span>
        <CopyIcon value={url} label={`link ${url}`} />
      </span>
    ),
  },
  { title: 'Creator', cell: ({ creator_id: id }) => names.get(id) ?? id },
  { title: 'Leads to', cell: ({ destination_url: to }) => to ?? 'the landing page' },
  { title: 'Made', cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
