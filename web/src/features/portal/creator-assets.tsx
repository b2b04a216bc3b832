import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReceivedAsset } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { AssetContent } from '../../ui/asset-content.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { membershipsQuery, programOption, useCreatorId } from './creator-api.ts';
import type { CreatorAssetsSearch } from './creator-search.ts';
import styles from './creator.module.css';
import { t } from './messages.ts';

/** What the stores of the creator's programs provide to promote them. */
export function CreatorAssets() {
  const creator = useCreatorId();
  const memberships = useInfiniteQuery(membershipsQuery(creator)).data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/creators/{creator}/assets', Pick<CreatorAssetsSearch, 'program_id'>>({
    search: useSearch({ from: '/signed-in/creator/assets' }),
    navigate: useNavigate({ from: '/creator/assets' }),
    path: apiPath('/creators/{creator}/assets', { creator }),
    fields: [
      memberships.length > 1
        ? { type: 'select', name: 'program_id', label: t.creator_assets.program, options: memberships.map(programOption) }
        : { type: 'hidden', name: 'program_id' },
    ],
  });
  return (
    <Page title={t.creator_assets.assets} intro={t.creator_assets.intro}>
      <Section title={t.creator_assets.assets} bare flush>
        <ListView
          list={list}
          caption={t.creator_assets.assets}
          columns={columnsOf(creator)}
          keyOf={({ id }) => id}
          empty={<EmptyState title={t.creator_assets.none_yet}>{t.creator_assets.none_yet_text}</EmptyState>}
        />
      </Section>
    </Page>
  );
}

const columnsOf = (creator: string): ReadonlyArray<Column<ReceivedAsset>> => [
  {
    title: t.creator_assets.asset,
    priority: true,
    cell: (asset) => <AssetContent asset={asset} file={apiPath('/creators/{creator}/assets/{asset}/file', { creator, asset: asset.id })} />,
  },
  {
    title: t.creator_assets.program,
    priority: true,
    cell: ({ program_name: program, store_name: store }) => (
      <>
        <div>{program}</div>
        <div className={styles.muted}>{store}</div>
      </>
    ),
  },
  { title: t.creator_assets.added, priority: true, cell: ({ created_at: at }) => <Time at={at} dateOnly /> },
];
