import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Copyable } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { creatorReading, type Creator } from './creator-api.ts';

/** A creator's first page: who they are here, and how they come into a program. */
export function CreatorHome() {
  const { session } = useRouteContext({ from: '/inside' });
  if (session.creator_id === null) return <NoCreator />;
  return <Home creatorId={session.creator_id} />;
}

function Home({ creatorId }: { readonly creatorId: string }) {
  const creator = useQuery(creatorReading(creatorId));
  if (creator.isPending) return <Page title="Creator’s portal" children={<Waiting />} />;
  if (creator.isError)
    return <Page title="Creator’s portal" children={<ProblemNote problem={creator.error} onRetry={() => void creator.refetch()} />} />;
  return (
    <Page title={`Hello, ${creator.data.name}`} intro="Your links, sales and payouts will stand here.">
      {creator.data.status === 'suspended' && (
        <Section title="You are suspended">
          Nothing is paid out to you at the moment. What you earned stays yours; ask the operator why.
        </Section>
      )}
      <Section title="Your creator ID" intro="Merchants add you to their programs with it. It is no secret, and opens nothing.">
        <Copyable value={creatorId} label="your creator ID" />
      </Section>
      <Section title="How you are paid">
        <PayoutMethod method={creator.data.payout_method} />
      </Section>
      <Section title="Your programs and links">
        <Empty title="Nothing to show yet">
          Give your creator ID to a merchant. Once they add you to a program, they make links for you to share, and every sale through one
          will be seen here.
        </Empty>
      </Section>
    </Page>
  );
}

function PayoutMethod({ method }: { readonly method: Creator['payout_method'] }) {
  if (method === null) return <p>No payout method yet. You need one before the first payout.</p>;
  const isSandbox = method.sandbox !== null;
  return (
    <Facts
      facts={[
        ['Method', isSandbox ? 'The sandbox’s own: no real money moves' : method.provider],
        ['Since', <Time key="s" at={method.since} dateOnly />],
        ['Payouts go there from', <Time key="f" at={method.usable_from} />],
      ]}
    />
  );
}

function NoCreator() {
  return (
    <Page title="Creator’s portal" narrow>
      <Section title="You are no creator here yet">
        <p style={{ marginTop: 0 }}>
          An operator makes a creator and invites the person by mail. Are you a merchant? Then go to{' '}
          <TextLink to="/stores">your stores</TextLink>.
        </p>
      </Section>
    </Page>
  );
}
