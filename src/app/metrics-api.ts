import { diskFacts } from '../operations/examine-installation.ts';
import { installationMetrics, type InstallationMetric } from '../operations/installation-metrics.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Config } from '../core/config.ts';
import { isDatabaseAway } from '../db/connection-errors.ts';
import type { Queryable } from '../db/database.ts';
import type { DueJob } from '../queue/scheduled-jobs.ts';
import { riskRules } from '../risk/risk-case.ts';
import { countOpenCases } from '../risk/cases-sql.ts';
import { sent } from '../http/responses.ts';
import { secondMs } from '../core/time.ts';

/** Together with the look-up of the key it stays below the 10 s that Prometheus waits. */
const databaseMsMax = 2 * secondMs;

/** Prometheus authenticates with an operator's API key, because the metrics reveal how much the stores sell. */
export const readMetrics = (schedule: readonly DueJob[]) =>
  endpoint({
    summary: 'Get metrics of the processes of this machine and of the installation, in the format of Prometheus',
    access: { allow: 'operator' },
    files: ['text/plain'],
    async handle({ platform, db, now }) {
      const { registry, text } = platform.metrics;
      const gauges = await Promise.all([machineMetrics(platform.config), withTimeout(collectInstallationMetrics(db, { now, schedule }))]);
      return sent({ 'content-type': registry.contentType }, [await text(), ...gauges.flat().map(renderMetric)].join(''));
    },
  });

type MetricsQuery = Parameters<typeof installationMetrics>[1];

const collectInstallationMetrics = async (db: Queryable, query: MetricsQuery): Promise<readonly InstallationMetric[]> => [
  ...(await installationMetrics(db, query)),
  ...(await riskMetrics(db)),
];

/** A rule without a case is 0, not missing. */
async function riskMetrics(db: Queryable): Promise<readonly InstallationMetric[]> {
  const counts = await countOpenCases(db);
  const values = riskRules.flatMap((rule) =>
    [true, false].map((enforced) => {
      const row = counts.find((one) => one.rule === rule && one.isEnforced === enforced);
      return { labels: { rule, enforced: String(enforced) }, value: Number(row?.count ?? 0n) };
    }),
  );
  return [{ name: 'risk_cases_open', help: 'Risk cases that no operator has released', values }];
}

/** If the database is unreachable or slow, the metrics of this machine are returned anyway: they are needed most then. */
async function withTimeout(reading: Promise<readonly InstallationMetric[]>): Promise<readonly InstallationMetric[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), databaseMsMax)));
  const read = await Promise.race([reading, late])
    .catch((error: unknown) => {
      if (isDatabaseAway(error)) return null;
      throw error;
    })
    .finally(() => clearTimeout(timer));
  // Handles a later rejection after the timeout, which `database_up` already reports.
  reading.catch(() => {});
  const up = { name: 'database_up', help: 'Whether the database answered this scrape', values: [{ value: read === null ? 0 : 1 }] };
  return [up, ...(read ?? [])];
}

async function machineMetrics({ mode, role, dataDir }: Config): Promise<readonly InstallationMetric[]> {
  const disk = await diskFacts(dataDir);
  const info = { name: 'info', help: 'What runs here', values: [{ labels: { mode, role, node: process.version }, value: 1 }] };
  if (disk === null) return [info];
  return [
    info,
    { name: 'data_disk_free_bytes', help: 'Free on the disk of DATA_DIR', values: [{ value: disk.freeBytes }] },
    { name: 'data_disk_size_bytes', help: 'The disk of DATA_DIR', values: [{ value: disk.bytes }] },
  ];
}

/** Not a prom-client metric, because its value does not belong to one process. Label values are constants that need no escaping. */
function renderMetric({ name, help, values }: InstallationMetric): string {
  const lines = values.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, word]) => `${label}="${word}"`);
    return `tributary_${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP tributary_${name} ${help}\n# TYPE tributary_${name} gauge\n${lines.join('')}`;
}
