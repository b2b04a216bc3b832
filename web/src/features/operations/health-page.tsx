import { useQuery } from '@tanstack/react-query';
import type { Health } from '../../../../sdk/src/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Chip } from '../../ui/chip.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { formatLatency, formatRate } from './request-rate-text.ts';
import { healthQuery } from './operator-api.ts';
import { t } from './messages.ts';

/** The state and versions of the installation. */
export function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <Page title={t.health_page.health} narrow intro={t.health_page.software_and_versions_of_this}>
      <QueryView query={health}>{(data) => <HealthDetails health={data} />}</QueryView>
    </Page>
  );
}

function HealthDetails({ health: { mode, now, started_at: started, node, database, traffic } }: { readonly health: Health }) {
  return (
    <>
      <Section title={t.health_page.service}>
        <DescriptionList
          items={[
            [t.health_page.mode, <ModeChip key="m" mode={mode} />],
            [t.health_page.service_time, <Time key="n" at={now} />],
            [t.health_page.process_started, <Time key="s" at={started} />],
            [t.health_page.node, node],
            [t.health_page.scheduled_jobs, <TextLink key="j" to="/operator/jobs" children={t.health_page.last_runs} />],
          ]}
        />
      </Section>
      <Section title={t.health_page.last_minute} intro={t.health_page.figures_of_the_process_that}>
        <DescriptionList
          items={[
            [t.health_page.postbacks, formatRate(traffic.postbacks)],
            [t.health_page.postback_latency, formatLatency(traffic.postbacks)],
            [t.health_page.redirects, formatRate(traffic.redirects)],
            [t.health_page.redirect_latency, formatLatency(traffic.redirects)],
          ]}
        />
      </Section>
      <Section title={t.health_page.database}>
        <DescriptionList
          items={[
            [
              t.health_page.state,
              <Chip key="s" label={t.health_page.responding} tone="good" meaning={t.health_page.it_served_this_page} />,
            ],
            ['PostgreSQL', database.version],
            [t.health_page.size, sizeOf(database.bytes)],
            [
              t.health_page.schema,
              t.health_page.migrations_latest({ migrations: database.migrations, newestMigration: database.newest_migration }),
            ],
          ]}
        />
      </Section>
    </>
  );
}

const ModeChip = ({ mode }: Pick<Health, 'mode'>) =>
  mode === 'sandbox' ? (
    <Chip label={t.health_page.sandbox} tone="neutral" meaning={t.health_page.no_real_money_moves_and} />
  ) : (
    <Chip label={t.health_page.live} tone="good" meaning={t.health_page.real_money_and_real_time} />
  );

const megabyte = 1_000_000;
const sizeOf = (bytes: number): string => t.health_page.mb({ value: Math.round(bytes / megabyte) });
