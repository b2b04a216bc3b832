import { diskFacts } from './operating/examine.ts';
import { installationFigures, type Figure } from './operating/figures.ts';
import { endpoint } from './people/endpoint.ts';
import type { Config } from './platform/config.ts';
import { isDatabaseAway } from './platform/database/away.ts';
import type { Queryable } from './platform/database/database.ts';
import type { DueJob } from './platform/due-jobs.ts';
import { riskRules } from './risk/case.ts';
import { countOpenCases } from './risk/cases-sql.ts';
import { sent } from './platform/http/answers.ts';
import { secondMs } from './platform/time.ts';

/** Together with the look-up of the key it stays below the 10 s that Prometheus waits. */
const databaseMsMax = 2 * secondMs;

/** For Prometheus, with an operator's key as its bearer token: how much a shop sells is nobody else's business. */
export const readMetrics = (schedule: readonly DueJob[]) =>
  endpoint({
    summary: 'Figures of the processes of this machine and of the whole installation, in the form that Prometheus reads',
    access: { who: 'operator' },
    files: ['text/plain'],
    async handle({ platform, db, now }) {
      const { registry, text } = platform.metrics;
      const asked = await Promise.all([machineFigures(platform.config), inTime(figuresOf(db, { now, schedule }))]);
      return sent({ 'content-type': registry.contentType }, [await text(), ...asked.flat().map(textOf)].join(''));
    },
  });

type Asked = Parameters<typeof installationFigures>[1];

const figuresOf = async (db: Queryable, asked: Asked): Promise<readonly Figure[]> => [
  ...(await installationFigures(db, asked)),
  ...(await riskFigures(db)),
];

/** A rule without a case is 0, not missing. */
async function riskFigures(db: Queryable): Promise<readonly Figure[]> {
  const counts = await countOpenCases(db);
  const values = riskRules.flatMap((rule) =>
    [true, false].map((enforced) => {
      const row = counts.find((one) => one.rule === rule && one.isEnforced === enforced);
      return { labels: { rule, enforced: String(enforced) }, value: Number(row?.count ?? 0n) };
    }),
  );
  return [{ name: 'risk_cases_open', help: 'Risk cases that no operator has released', values }];
}

/** Where the database is away or slow, what this machine knows by itself is told all the same: then it is wanted most. */
async function inTime(reading: Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), databaseMsMax)));
  const read = await Promise.race([reading, late])
    .catch((error: unknown) => {
      if (isDatabaseAway(error)) return null;
      throw error;
    })
    .finally(() => clearTimeout(timer));
  // Nobody waits for it any more; what it still fails of was told as "not up".
  reading.catch(() => {});
  const up = { name: 'database_up', help: 'Whether the database answered these figures', values: [{ value: read === null ? 0 : 1 }] };
  return [up, ...(read ?? [])];
}

async function machineFigures({ mode, role, dataDir }: Config): Promise<readonly Figure[]> {
  const disk = await diskFacts(dataDir);
  const info = { name: 'info', help: 'What runs here', values: [{ labels: { mode, role, node: process.version }, value: 1 }] };
  if (disk === null) return [info];
  return [
    info,
    { name: 'data_disk_free_bytes', help: 'Free on the disk of DATA_DIR', values: [{ value: disk.freeBytes }] },
    { name: 'data_disk_size_bytes', help: 'The disk of DATA_DIR', values: [{ value: disk.bytes }] },
  ];
}

/** Written by hand: these are no figures of one process. Every value of a label is a word of ours, without quotes in it. */
function textOf({ name, help, values }: Figure): string {
  const lines = values.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, word]) => `${label}="${word}"`);
    return `tributary_${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
  });
  return `# HELP tributary_${name} ${help}\n# TYPE tributary_${name} gauge\n${lines.join('')}`;
}
