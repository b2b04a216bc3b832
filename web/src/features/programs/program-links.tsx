import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Link, Member } from '../../../../sdk/src/api-schema.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkFields, linkBody } from '../../ui/link-fields.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { linksPath } from '../creators/members-api.ts';
import styles from './program-links.module.css';
import { t } from './messages.ts';

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
      title={t.program_links.links}
      intro={t.program_links.links_that_creators_share_each}
      flush
      actions={mayChange && approved.length > 0 && <CreateLinkButton store={store} program={program} approved={approved} />}
    >
      <ShortList
        caption={t.program_links.links}
        path={linksPath(store, program)}
        keyOf={({ code }) => code}
        columns={columnsOf(store, names)}
        empty={
          <EmptyState title={t.program_links.no_links_yet}>
            {approved.length === 0 ? t.program_links.add_a_creator_to_the : t.program_links.create_a_link_for}
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
        {t.program_links.create_link}
      </Button>
      <Dialog title={t.program_links.create_link} opened={opened} onClose={() => setOpened(false)}>
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
          submit={t.program_links.create_link_2}
        >
          <SelectField
            name="creator_id"
            label={t.program_links.creator}
            data={approved.map(({ creator_id: value, creator_name: label }) => ({ value, label }))}
            data-autofocus
          />
          <LinkFields leadsTo={t.program_links.a_page_of_the_stores} />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (store: string, names: ReadonlyMap<string, string>): ReadonlyArray<Column<Link>> => [
  {
    title: t.program_links.link,
    cell: ({ url }) => (
      <span className={styles.link}>
        <span className="mono">{url}</span>
        <CopyIcon value={url} label={t.program_links.link_2({ url })} />
      </span>
    ),
    priority: true,
  },
  {
    title: t.program_links.creator_2,
    cell: ({ creator_id: creator }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }}>
        {names.get(creator) ?? t.program_links.view_creator}
      </TextLink>
    ),
    priority: true,
  },
  { title: t.program_links.destination, cell: ({ destination_url: to }) => to ?? t.program_links.the_landing_page, priority: true },
  { title: t.program_links.created, priority: true, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
