import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { CopyIcon } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { LinkFields, linkIn } from '../parts/link-fields.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { linkList, linksPath, type Link, type Member } from './members-api.ts';
import styles from './links.module.css';

type LinksProps = { readonly store: string; readonly program: string; readonly members: readonly Member[]; readonly mayChange: boolean };

export function Links({ store, program, members, mayChange }: LinksProps) {
  const approved = members.filter(({ status }) => status === 'approved');
  const names = new Map(members.map(({ creator_id: id, creator_name: name }) => [id, name]));
  return (
    <Section
      title="Links"
      intro="What creators share. Each visit through one becomes a click that an order can be traced to."
      flush
      actions={mayChange && approved.length > 0 && <MakeLink store={store} program={program} approved={approved} />}
    >
      <PagedTable
        caption="Links"
        list={linkList(store, program)}
        keyOf={({ code }) => code}
        columns={columnsOf(names)}
        empty={
          <Empty title="No link yet">
            {approved.length === 0
              ? 'Add a creator to the program first; then make a link for them.'
              : 'Make one for a member, and send it to them.'}
          </Empty>
        }
      />
    </Section>
  );
}

function MakeLink({ store, program, approved }: Omit<LinksProps, 'members' | 'mayChange'> & { readonly approved: readonly Member[] }) {
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
            api.post<Link>(
              linksPath(store, program),
              {
                creator_id: values.text('creator_id'),
                ...linkIn(values),
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
