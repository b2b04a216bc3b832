/** A part of the hard tests: the files of `npm test` that it runs at full length. */
export type HardPart = {
  readonly files: readonly string[];
  /** Number of files that run in parallel; 1 where times are measured. */
  readonly workers?: number;
  /** Environment variables. The part runs only if all are set. */
  readonly needs?: readonly string[];
};

export const missingFor = ({ needs = [] }: HardPart): readonly string[] => needs.filter((name) => (process.env[name] ?? '') === '');

export const hardParts: Readonly<Record<string, HardPart>> = {
  histories: { files: ['test/model/'] },
  races: {
    files: ['orders', 'codes', 'leads', 'billing', 'payouts', 'recurring', 'refunds', 'review'].map((name) => `test/race/${name}.test.ts`),
    workers: 2,
  },
  kills: { files: ['test/race/kills.test.ts'] },
  deaths: { files: ['test/billing/crashes.test.ts', 'test/payouts/crashes.test.ts', 'test/race/process-kills.test.ts'], workers: 2 },
  hostile: {
    files: [
      'test/postbacks/hostile.test.ts',
      'test/api/hostile-parameters.test.ts',
      'test/api/hostile-requests.test.ts',
      'test/load/hostile-inputs.test.ts',
    ],
    workers: 1,
  },
  faults: { files: ['test/postbacks/database-unavailable.test.ts', 'test/postbacks/database-restarted.test.ts'] },
  overload: { files: ['test/load/overload.test.ts'] },
  slow: { files: ['test/load/slow-clients.test.ts'] },
  colluders: { files: ['test/risk/'] },
  tenants: { files: ['test/api/isolation.test.ts', 'test/api/foreign-resources.test.ts'] },
  browsers: { files: ['test/web/', 'test/capture/', 'test/snippets/', 'test/demo/'], workers: 2 },
  zones: { files: ['test/load/time-zones.test.ts'] },
  cluster: { files: ['test/cluster/'], needs: ['CITUS_URL', 'CITUS_WORKERS', 'CITUS_SPARE', 'CITUS_CONTROL'] },
};
