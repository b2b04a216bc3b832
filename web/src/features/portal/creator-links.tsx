import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useInfiniteQuery, useQueryClient, keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Membership, CreatorLink, SubIdTotals } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Filters, DateFilter } from '../../ui/filters.tsx';
import { Form } from '../../ui/form.tsx';
import { formatDollars } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { refresh, apiQuery } from '../../ui/queries.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { LinkFields, linkBody } from '../creators/link-fields.tsx';
import { creatorLinksPath, membershipsQuery, useCreatorId, subIdsPath } from './creator-api.ts';
import type { CreatorLinksSearch } from './creator-search.ts';
import styles from './creator.module.css';

/** The creator's links in all programs, with their results. */
export function CreatorLinks() {
  const creator = useCreatorId();
  const search = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const { program_id: program } = search;
  const [shown, setShown] = useState<CreatorLink | null>(null);
  const memberships = useInfiniteQuery(membershipsQuery(creator));
  const all = memberships.data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/creators/{creator}/links', Pick<CreatorLinksSearch, 'program_id'>>({
    search,
    // The days of the second table stay as they are.
    navigate: (to) => navigate({ ...to, search: (now) => ({ from: now.from, to: now.to, ...to.search(now) }) }),
    path: creatorLinksPath(creator),
    fields: [
      all.length > 1
        ? { type: 'select', name: 'program_id', label: 'Program', options: all.map(programOption) }
        : { type: 'hidden', name: 'program_id' },
    ],
  });
  const approved = all.filter(({ status }) => status === 'approved');
  return (
    <Page
      title="Links"
      intro="Share them anywhere. Add ?sub= and a word to tell your places apart: below and at each sale you see the word."
      actions={approved.length > 0 && <CreateLinkButton creator={creator} approved={approved} program={program} />}
    >
      <Section title="Links" bare flush>
        <ListView
          caption="My links"
          list={list}
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
            api.post(
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
        <div className={styles.muted}>to {link.leads_to.replace(/^https?:\/\//, '')}</div>
      </>
    ),
  },
  {
    title: 'Program',
    cell: ({ program_name: name, store_name: store, earns }) => (
      <>
        <div>{name}</div>
        <div className={styles.muted}>{store}</div>
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

type SubId = SubIdTotals['data'][number];

/** Results by sub-ID, so that creators can compare where they share their links. */
function SubIdTable({ creator }: { readonly creator: string }) {
  const { from, to } = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const narrow = (days: { readonly from?: string | undefined; readonly to?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...days }), resetScroll: false });
  const totals = useQuery({ ...apiQuery(subIdsPath(creator, { from, to })), placeholderData: keepPreviousData });
  const [first, last] = [from ?? totals.data?.from, to ?? totals.data?.to];
  const isNarrowed = from !== undefined || to !== undefined;
  return (
    <Section title="By sub-id" intro="What each word brought that you added as ?sub= to your links. Days are those of UTC." flush>
      <Filters onClear={isNarrowed ? () => narrow({ from: undefined, to: undefined }) : null}>
        <DateFilter isNeeded label="From" value={first} change={(day) => narrow({ from: day, to: last })} />
        <DateFilter isNeeded label="To" value={last} change={(day) => narrow({ from: first, to: day })} />
      </Filters>
      <QueryView query={totals} padded />
      {totals.isSuccess && totals.data.data.length === 0 && (
        <EmptyState title="Nothing came on these days">
          Share a link with a word of your own at its end, such as ?sub=newsletter, and see here what it brings.
        </EmptyState>
      )}
      {totals.isSuccess && totals.data.data.length > 0 && (
        <Table caption="By sub-id" columns={subIdColumns} rows={totals.data.data} keyOf={({ sub_id: sub }) => sub ?? ''} />
      )}
      {totals.isSuccess && totals.data.next_cursor !== null && (
        <p className={styles.padded}>
          These are the {totals.data.data.length} sub-ids with the most clicks. Choose fewer days to see others.
        </p>
      )}
      {totals.isSuccess && !totals.data.is_complete && (
        <p className={styles.padded}>There was too much to count all of it: these are the newest. Ask for fewer days.</p>
      )}
    </Section>
  );
}

const subIdColumns: ReadonlyArray<Column<SubId>> = [
  { title: 'Sub-id', cell: ({ sub_id: sub }) => (sub === null ? 'none' : <span className="mono">{sub}</span>) },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];
