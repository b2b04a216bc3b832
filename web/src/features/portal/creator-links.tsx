import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { QrCode } from '../../ui/qr-code.tsx';
import { api } from '../../api/client.ts';
import { formatDollars } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LinkFields, linkBody } from '../creators/link-fields.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { PagedTable, type Column } from '../../ui/table.tsx';
import { creatorLinksQuery, creatorLinksPath, membershipsQuery, useCreatorId, type Membership, type CreatorLink } from './creator-api.ts';
import styles from './creator.module.css';
import { SubIdTable } from './sub-ids.tsx';

/** The creator's links in all programs, with their results. */
export function CreatorLinks() {
  const creator = useCreatorId();
  const { program } = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const [shown, setShown] = useState<CreatorLink | null>(null);
  const memberships = useInfiniteQuery(membershipsQuery(creator));
  const all = memberships.data?.pages.flatMap(({ data }) => data) ?? [];
  const approved = all.filter(({ status }) => status === 'approved');
  const narrow = (to: string | undefined) => void navigate({ search: (now) => ({ ...now, program: to }) });
  return (
    <Page
      title="Links"
      intro="Share them anywhere. Add ?sub= and a word to tell your places apart: below and at each sale you see the word."
      actions={approved.length > 0 && <CreateLinkButton creator={creator} approved={approved} program={program} />}
    >
      <Section title="Links" bare flush>
        {all.length > 1 && (
          <Filters onClear={program === undefined ? null : () => narrow(undefined)}>
            <SelectFilter label="Program" value={program} options={all.map(programOption)} change={narrow} />
          </Filters>
        )}
        <PagedTable
          caption="My links"
          list={creatorLinksQuery(creator, program)}
          keyOf={({ code }) => code}
          columns={columnsOf(setShown)}
          empty={<EmptyLinks isMember={approved.length > 0} />}
        />
      </Section>
      <SubIdTable creator={creator} />
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

const programOption = ({ program_id: id, program_name: name, store_name: store }: Membership) => [id, `${name}, ${store}`] as const;

type CreateLinkButtonProps = { readonly creator: string; readonly approved: readonly Membership[]; readonly program: string | undefined };

function CreateLinkButton({ creator, approved, program }: CreateLinkButtonProps) {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const done = async () => {
    await refresh(client, creatorLinksPath(creator));
    setOpened(false);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>Make a link</Button>
      <Dialog title="Make a link" opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values, key) =>
            api.post<CreatorLink>(
              creatorLinksPath(creator),
              {
                program_id: values.text('program_id'),
                ...linkBody(values),
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
            data={approved.map(programOption).map(([value, label]) => ({ value, label }))}
            defaultValue={program}
            data-autofocus
          />
          <LinkFields leadsTo="Any page of the shop’s own site; empty: where the program leads." />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (show: (link: CreatorLink) => void): ReadonlyArray<Column<CreatorLink>> => [
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
            label="Paused"
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
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
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

function EmptyLinks({ isMember }: { readonly isMember: boolean }) {
  if (isMember) return <EmptyState title="No link yet">Make one, copy it, and share it where your people are.</EmptyState>;
  return (
    <EmptyState
      title="No link yet"
      action={
        <ButtonLink variant="default" to="/creator/programs">
          See your programs
        </ButtonLink>
      }
    >
      Links belong to a program. Once a merchant takes you in, you make as many as you like.
    </EmptyState>
  );
}
