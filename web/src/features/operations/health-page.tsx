import { useQuery } from '@tanstack/react-query';
import type { Health } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Chip } from '../../ui/chip.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { formatLatency, formatRate } from './request-rate-text.ts';
import { healthQuery } from './operator-api.ts';

/** The state and versions of the installation. */
export function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <Page title="Health" narrow intro="What runs here, on what. Figures for a monitor stand at /metrics, with an operator’s API key.">
      <QueryView query={health}>{(data) => <HealthDetails health={data} />}</QueryView>
    </Page>
  );
}

function HealthDetails({ health: { mode, now, started_at: started, node, database, traffic } }: { readonly health: Health }) {
  return (
    <>
      <Section title="Service">
        <DescriptionList
          items={[
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
        <DescriptionList
          items={[
            ['Postbacks', formatRate(traffic.postbacks)],
            ['Postbacks took', formatLatency(traffic.postbacks)],
            ['Redirects', formatRate(traffic.redirects)],
            ['Redirects took', formatLatency(traffic.redirects)],
          ]}
        />
      </Section>
      <Section title="Database">
        <DescriptionList
          items={[
            ['State', <Chip key="s" label="Answers" tone="good" meaning="It answered this very page." />],
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
    <Chip label="Sandbox" tone="neutral" meaning="No money moves, and the clock can be moved forward." />
  ) : (
    <Chip label="Live" tone="good" meaning="Money moves, and time is real time." />
  );

const megabyte = 1_000_000;
const sizeOf = (bytes: number): string => `${Math.round(bytes / megabyte).toLocaleString('en-GB')} MB`;
