import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Copyable } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useHasRows } from '../parts/has-rows.ts';
import { ButtonLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { postbackKeyList, type PostbackKey } from './postback-keys.tsx';
import { programList, type Program } from './programs-api.ts';
import { ProgramTable } from './programs.tsx';
import { FirstSteps, type Step } from './first-steps.tsx';
import { IntegrationChip, StoreChip, TrackingChip } from './store-chips.tsx';
import { storeReading, type Store } from './stores-api.ts';

/** A store's first page: what is still to be done, how it stands, and its programs. */
export function StoreHome() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const shop = useQuery(storeReading(store));
  const hasPrograms = useHasRows(programList(store));
  if (shop.isPending) return <Page title="Store" children={<Waiting />} />;
  if (shop.isError) return <Page title="Store" children={<ProblemNote problem={shop.error} onRetry={() => void shop.refetch()} />} />;
  return (
    <Page title={shop.data.name} intro={shop.data.site_url}>
      <Steps shop={shop.data} />
      <Section
        title="How it stands"
        actions={
          <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={{ store }}>
            Integration
          </ButtonLink>
        }
      >
        <Facts
          facts={[
            ['Store', <StoreChip key="s" status={shop.data.status} />],
            ['Integration', <IntegrationChip key="i" integration={shop.data.integration} />],
            ['Tracking', <TrackingChip key="t" isOn={shop.data.tracking_on} />],
            ['Tracking key', <Copyable key="k" value={shop.data.tracking_key} label="the tracking key" />],
            ['Since', <Time key="c" at={shop.data.created_at} dateOnly />],
          ]}
        />
      </Section>
      <Section
        title="Programs"
        flush
        actions={
          hasPrograms && (
            <ButtonLink variant="default" size="xs" to="/stores/$store/new-program" params={{ store }}>
              Create a program
            </ButtonLink>
          )
        }
      >
        <ProgramTable store={store} />
      </Section>
    </Page>
  );
}

/** Only evidence ticks a step; once all are ticked the list is gone. */
function Steps({ shop }: { readonly shop: Store }) {
  const keys = useInfiniteQuery(postbackKeyList(shop.id));
  const programs = useInfiniteQuery(programList(shop.id));
  if (!keys.isSuccess || !programs.isSuccess) return null;
  const steps = stepsOf(shop, {
    keys: keys.data.pages.flatMap(({ data }) => data),
    programs: programs.data.pages.flatMap(({ data }) => data),
  });
  return steps.every(({ isDone }) => isDone) ? null : <FirstSteps steps={steps} />;
}

type Evidence = { readonly keys: readonly PostbackKey[]; readonly programs: readonly Program[] };

function stepsOf(shop: Store, { keys, programs }: Evidence): readonly Step[] {
  const params = { store: shop.id };
  const wayToIntegration = (label: string) => (
    <ButtonLink size="xs" to="/stores/$store/integration" params={params}>
      {label}
    </ButtonLink>
  );
  return [
    {
      title: 'Make a postback key',
      text: 'Your server reports paid orders with it.',
      isDone: keys.length > 0,
      way: wayToIntegration('Make a key'),
    },
    {
      title: 'Send the first postback',
      text: 'Put the script tag on your pages and the key on your server; the key’s first use ticks this.',
      isDone: shop.tracking_on || keys.some(({ last_used_at: used }) => used !== null),
      way: wayToIntegration('See how'),
    },
    {
      title: 'Switch tracking on',
      text: 'A test order that goes all the way, from click to postback, does it by itself.',
      isDone: shop.tracking_on,
      way: wayToIntegration('Make a test link'),
    },
    {
      title: 'Create a program and write its terms',
      text: 'Say what partners earn, and for how long a click counts.',
      isDone: programs.length > 0,
      way: (
        <ButtonLink size="xs" to="/stores/$store/new-program" params={params}>
          Create a program
        </ButtonLink>
      ),
    },
    {
      title: 'Publish the program',
      text: 'From then on its links earn. It needs tracking to be on.',
      isDone: programs.some(({ first_published_at: at }) => at !== null),
      way: (
        <ButtonLink size="xs" to="/stores/$store/programs" params={params}>
          Open the programs
        </ButtonLink>
      ),
    },
  ];
}
