import { useQuery } from '@tanstack/react-query';
import { Chip } from '../parts/chip.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { latencyWords, rateWords } from './traffic-words.ts';
import { healthReading, type Health } from './operator-api.ts';

/** What runs here, on what. */
export function OperatorsHealth() {
  const health = useQuery(healthReading);
  return (
    <Page title="Health" narrow intro="What runs here, on what. Figures for a monitor stand at /metrics, with an operator’s API key.">
      {health.isPending && <Waiting />}
      {health.isError && <ProblemNote problem={health.error} onRetry={() => void health.refetch()} />}
      {health.isSuccess && <Shown health={health.data} />}
    </Page>
  );
}

function Shown({ health: { mode, now, started_at: started, node, database, traffic } }: { readonly health: Health }) {
  return (
    <>
      <Section title="Service">
        <Facts
          facts={[
            ['Mode', <ModeChip key="m" mode={mode} />],
            ['Business time', <Time key="n" at={now} />],
            ['This process since', <Time key="s" at={started} />],
            ['Node', node],
            ['Jobs', <TextLink key="j" to="/operator/jobs" children="How each ran last" />],
          ]}
        />
      </Section>
      <Section
        title="Answered in the last minute"
        intro="By the process that answered this page; where several run, each has figures of its own."
      >
        <Facts
          facts={[
            ['Postbacks', rateWords(traffic.postbacks)],
            ['Postbacks took', latencyWords(traffic.postbacks)],
            ['Redirects', rateWords(traffic.redirects)],
            ['Redirects took', latencyWords(traffic.redirects)],
          ]}
        />
      </Section>
      <Section title="Database">
        <Facts
          facts={[
            ['State', <Chip key="s" word="Answers" tone="good" meaning="It answered this very page." />],
            ['PostgreSQL', database.version],
            ['Size', sizeOf(database.bytes)],
            ['Schema', `${database.migrations} migrations, the newest ${database.newest_migration}`],
          ]}
        />
      </Section>
    </>
  );
}

const ModeChip = ({ mode }: Pick<Health, 'mode'>) =>
  mode === 'sandbox' ? (
    <Chip word="Sandbox" tone="calm" meaning="No money moves, and the clock can be moved forward." />
  ) : (
    <Chip word="Live" tone="good" meaning="Money moves, and time is real time." />
  );

const megabyte = 1_000_000;
const sizeOf = (bytes: number): string => `${Math.round(bytes / megabyte).toLocaleString('en-GB')} MB`;
