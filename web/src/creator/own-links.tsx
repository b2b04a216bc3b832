import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { QrCode } from '../account/qr-code.tsx';
import { api } from '../api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { CopyIcon } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/fields.tsx';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { Form } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { LinkFields, linkIn } from '../parts/link-fields.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';
import { PagedTable, type Column } from '../parts/table.tsx';
import { linkList, linksPath, membershipList, useCreatorId, type Membership, type OwnLink } from './creator-api.ts';
import styles from './creator.module.css';
import { SubIds } from './sub-ids.tsx';

/** A creator's links in all programs: made here, shared anywhere, with what came through each. */
export function OwnLinks() {
  const creator = useCreatorId();
  const { program } = useSearch({ from: '/inside/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const [shown, setShown] = useState<OwnLink | null>(null);
  const memberships = useInfiniteQuery(membershipList(creator));
  const all = memberships.data?.pages.flatMap(({ data }) => data) ?? [];
  const approved = all.filter(({ status }) => status === 'approved');
  const narrow = (to: string | undefined) => void navigate({ search: (now) => ({ ...now, program: to }) });
  return (
    <Page
      title="Links"
      intro="Share them anywhere. Add ?sub= and a word to tell your places apart: below and at each sale you see the word."
      actions={approved.length > 0 && <MakeLink creator={creator} approved={approved} program={program} />}
    >
      <Section title="Links" bare flush>
        {all.length > 1 && (
          <Filters onClear={program === undefined ? null : () => narrow(undefined)}>
            <SelectFilter label="Program" value={program} options={all.map(optionOf)} change={narrow} />
          </Filters>
        )}
        <PagedTable
          caption="My links"
          list={linkList(creator, program)}
          keyOf={({ code }) => code}
          columns={columnsOf(setShown)}
          empty={<NoLinks isMember={approved.length > 0} />}
        />
      </Section>
      <SubIds creator={creator} />
      <Dialog title="QR code" opened={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && (
          <div className={styles.code}>
            <QrCode text={shown.url} label={`A QR code that leads to ${shown.url}`} />
            <span className="mono">{shown.url}</span>
          </div>
        )}
      </Dialog>
    </Page>
  );
}

const optionOf = ({ program_id: id, program_name: name, store_name: store }: Membership) => [id, `${name}, ${store}`] as const;

type MakeLinkProps = { readonly creator: string; readonly approved: readonly Membership[]; readonly program: string | undefined };

function MakeLink({ creator, approved, program }: MakeLinkProps) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, linksPath(creator));
    setOpened(false);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>Make a link</Button>
      <Dialog title="Make a link" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) =>
            api.post<OwnLink>(
              linksPath(creator),
              {
                program_id: values.text('program_id'),
                ...linkIn(values),
              },
              key,
            )
          }
          done={done}
          submit="Make the link"
        >
          <SelectField
            name="program_id"
            label="Program"
            data={approved.map(optionOf).map(([value, label]) => ({ value, label }))}
            defaultValue={program}
            data-autofocus
          />
          <LinkFields leadsTo="Any page of the shop’s own site; empty: where the program leads." />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (show: (link: OwnLink) => void): ReadonlyArray<Column<OwnLink>> => [
  {
    title: 'Link',
    cell: (link) => (
      <>
        <span className={styles.link}>
          <span className="mono">{link.url.replace(/^https?:\/\//, '')}</span>
          <CopyIcon value={link.url} label={`link ${link.url}`} />
          <Tooltip label="Show as a QR code">
            <ActionIcon variant="subtle" color="gray" aria-label={`Show ${link.url} as a QR code`} onClick={() => show(link)}>
              <Icon name="squares" size={16} />
            </ActionIcon>
          </Tooltip>
        </span>
        <div className={styles.quiet}>to {link.leads_to.replace(/^https?:\/\//, '')}</div>
      </>
    ),
  },
  {
    title: 'Program',
    cell: ({ program_name: name, store_name: store, earns }) => (
      <>
        <div>{name}</div>
        <div className={styles.quiet}>{store}</div>
        {!earns && (
          <Chip
            word="Paused"
            tone="wait"
            meaning="You, the program or the shop is paused: it leads to the shop, and visits do not count."
          />
        )}
      </>
    ),
  },
  { title: 'Arrivals', kind: 'number', cell: ({ arrivals }) => arrivals.toLocaleString('en-GB') },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  {
    title: 'Refused',
    kind: 'number',
    cell: ({ code, refused }) =>
      refused === 0 ? (
        '0'
      ) : (
        <TextLink to="/creator/refused-orders" search={{ link: code }} aria-label={`${refused} refused orders of the link ${code}`}>
          {refused.toLocaleString('en-US')}
        </TextLink>
      ),
  },
];

function NoLinks({ isMember }: { readonly isMember: boolean }) {
  if (isMember) return <Empty title="No link yet">Make one, copy it, and share it where your people are.</Empty>;
  return (
    <Empty
      title="No link yet"
      action={
        <ButtonLink variant="default" to="/creator/programs">
          See your programs
        </ButtonLink>
      }
    >
      Links belong to a program. Once a merchant takes you in, you make as many as you like.
    </Empty>
  );
}
