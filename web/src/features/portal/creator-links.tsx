import { formats } from '../../messages/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Membership, CreatorLink } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { formatDollars } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { notifyDownloadFailed } from '../../ui/export-buttons.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { downloadQrPng, downloadQrSvg } from '../../ui/qr-download.ts';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { LinkFields, linkBody } from '../../ui/link-fields.tsx';
import { creatorLinksPath, membershipsQuery, programOption, useCreatorId } from './creator-api.ts';
import type { CreatorLinksSearch } from './creator-search.ts';
import styles from './creator.module.css';
import { SubIdResults, SubIdTable } from './sub-ids.tsx';
import { t } from './messages.ts';

const searchLengthMax = 100;

/** The creator's links in all programs, with their results. */
export function CreatorLinks() {
  const creator = useCreatorId();
  const search = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const { program_id: program } = search;
  const [shown, setShown] = useState<CreatorLink | null>(null);
  const memberships = useInfiniteQuery(membershipsQuery(creator));
  const all = memberships.data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/creators/{creator}/links', Pick<CreatorLinksSearch, 'program_id' | 'q'>>({
    search,
    // The days of the second table stay as they are.
    navigate: (to) => navigate({ ...to, search: (now) => ({ from: now.from, to: now.to, sub: now.sub, ...to.search(now) }) }),
    path: creatorLinksPath(creator),
    defaultSort: '-created_at',
    fields: [
      { type: 'search', name: 'q', label: t.creator_links.code_or_destination, lengthMax: searchLengthMax },
      all.length > 1
        ? { type: 'select', name: 'program_id', label: t.creator_links.program, options: all.map(programOption) }
        : { type: 'hidden', name: 'program_id' },
    ],
  });
  const approved = all.filter(({ status }) => status === 'approved');
  return (
    <Page
      title={t.creator_links.links}
      intro={t.creator_links.share_your_links_anywhere_add}
      actions={approved.length > 0 && <CreateLinkButton creator={creator} approved={approved} program={program} />}
    >
      <Section title={t.creator_links.links} bare flush>
        <ListView
          caption={t.creator_links.your_links}
          list={list}
          keyOf={({ code }) => code}
          columns={columnsOf(setShown)}
          empty={<EmptyLinks isMember={approved.length > 0} isFiltered={list.isFiltered} />}
        />
      </Section>
      {search.sub === undefined ? <SubIdTable creator={creator} /> : <SubIdResults creator={creator} sub={search.sub} />}
      <QrDialog shown={shown} close={() => setShown(null)} />
    </Page>
  );
}

type QrDialogProps = { readonly shown: CreatorLink | null; readonly close: () => void };

/** The link as a QR code, to download. */
function QrDialog({ shown, close }: QrDialogProps) {
  return (
    <Dialog title={t.creator_links.qr_code} opened={shown !== null} onClose={close}>
      {shown !== null && (
        <div className={styles.code}>
          <QrCode text={shown.url} label={t.creator_links.qr_code_for({ url: shown.url })} />
          <span className="mono">{shown.url}</span>
          <div className={styles.codeButtons}>
            <Button
              variant="default"
              size="xs"
              onClick={() => void downloadQrPng(shown.url, `qr-${shown.code}.png`).catch(notifyDownloadFailed)}
            >
              {t.creator_links.download_png}
            </Button>
            <Button variant="default" size="xs" onClick={() => downloadQrSvg(shown.url, `qr-${shown.code}.svg`)}>
              {t.creator_links.download_svg}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

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
      <Button onClick={() => setOpened(true)}>{t.creator_links.create_link}</Button>
      <Dialog title={t.creator_links.create_link} opened={opened} onClose={() => setOpened(false)}>
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
          submit={t.creator_links.create_link_2}
        >
          <SelectField
            name="program_id"
            label={t.creator_links.program}
            data={approved.map(programOption).map(([value, label]) => ({ value, label }))}
            defaultValue={program}
            data-autofocus
          />
          <LinkFields leadsTo={t.creator_links.any_page_of_the_stores} />
        </Form>
      </Dialog>
    </>
  );
}

const columnsOf = (show: (link: CreatorLink) => void): ReadonlyArray<Column<CreatorLink>> => [
  {
    title: t.creator_links.link,
    sort: 'code',
    sortsUpward: true,
    priority: true,
    cell: (link) => (
      <>
        <span className={styles.link}>
          <span className="mono">{link.url.replace(/^https?:\/\//, '')}</span>
          <CopyIcon value={link.url} label={t.creator_links.link_2({ url: link.url })} />
          <Tooltip label={t.creator_links.show_qr_code}>
            <IconButton aria-label={t.creator_links.show_qr_code_for({ url: link.url })} onClick={() => show(link)}>
              <Icon name="squares" size={16} />
            </IconButton>
          </Tooltip>
        </span>
        <div className={styles.muted}>{t.creator_links.goes_to({ value: link.leads_to.replace(/^https?:\/\//, '') })}</div>
      </>
    ),
  },
  {
    title: t.creator_links.program,
    cell: ({ program_name: name, store_name: store, earns }) => (
      <>
        <div>{name}</div>
        <div className={styles.muted}>{store}</div>
        {!earns && <Chip label={t.creator_links.paused} tone="wait" meaning={t.creator_links.your_membership_the_program_or} />}
      </>
    ),
  },
  { title: t.creator_links.visits, sort: 'arrivals', kind: 'number', cell: ({ arrivals }) => formats.number(arrivals) },
  { title: t.creator_links.clicks, sort: 'clicks', kind: 'number', priority: true, cell: ({ clicks }) => formats.number(clicks) },
  { title: t.creator_links.orders, sort: 'orders', kind: 'number', cell: ({ orders }) => formats.number(orders) },
  {
    title: t.creator_links.earned_usd,
    sort: 'earned_cents',
    kind: 'number',
    priority: true,
    cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  {
    title: t.creator_links.ineligible,
    kind: 'number',
    cell: ({ code, refused }) =>
      refused === 0 ? (
        '0'
      ) : (
        <TextLink
          to="/creator/refused-orders"
          search={{ link: code }}
          aria-label={t.creator_links.view_ineligible_orders_of_the({ refused, code })}
        >
          {formats.number(refused)}
        </TextLink>
      ),
  },
];

function EmptyLinks({ isMember, isFiltered }: { readonly isMember: boolean; readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title={t.creator_links.no_link_matches}>{t.creator_links.search_by_code}</EmptyState>;
  if (isMember) return <EmptyState title={t.creator_links.no_links_yet}>{t.creator_links.create_a_link_and_share}</EmptyState>;
  return (
    <EmptyState
      title={t.creator_links.no_links_yet}
      action={
        <ButtonLink variant="default" to="/creator/programs">
          {t.creator_links.view_your_programs}
        </ButtonLink>
      }
    >
      {t.creator_links.join_a_program_to_create}
    </EmptyState>
  );
}
