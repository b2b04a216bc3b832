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
import { t } from './messages.ts';

/** The state and versions of the installation. */
export function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <Page title={t.health_page.health} narrow intro={t.health_page.what_runs_here_on_what}>
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
            [t.health_page.business_time, <Time key="n" at={now} />],
            [t.health_page.this_process_since, <Time key="s" at={started} />],
            [t.health_page.node, node],
            [t.health_page.jobs, <TextLink key="j" to="/operator/jobs" children={t.health_page.how_each_ran_last} />],
          ]}
        />
      </Section>
      <Section title={t.health_page.answered_in_the_last_minute} intro={t.health_page.by_the_process_that_answered}>
        <DescriptionList
          items={[
            [t.health_page.postbacks, formatRate(traffic.postbacks)],
            [t.health_page.postbacks_took, formatLatency(traffic.postbacks)],
            [t.health_page.redirects, formatRate(traffic.redirects)],
            [t.health_page.redirects_took, formatLatency(traffic.redirects)],
          ]}
        />
      </Section>
      <Section title={t.health_page.database}>
        <DescriptionList
          items={[
            [
              t.health_page.state,
              <Chip key="s" label={t.health_page.answers} tone="good" meaning={t.health_page.it_answered_this_very_page} />,
            ],
            ['PostgreSQL', database.version],
            [t.health_page.size, sizeOf(database.bytes)],
            [
              t.health_page.schema,
              t.health_page.migrations_the_newest({ migrations: database.migrations, newestMigration: database.newest_migration }),
            ],
          ]}
        />
      </Section>
    </>
  );
}

const ModeChip = ({ mode }: Pick<Health, 'mode'>) =>
  mode === 'sandbox' ? (
    <Chip label={t.health_page.sandbox} tone="neutral" meaning={t.health_page.no_money_moves_and_the} />
  ) : (
    <Chip label={t.health_page.live} tone="good" meaning={t.health_page.money_moves_and_time_is} />
  );

const megabyte = 1_000_000;
const sizeOf = (bytes: number): string => t.health_page.mb({ value: Math.round(bytes / megabyte) });
