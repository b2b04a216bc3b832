/** A part of the hard tests: the files of `npm test` that it runs at length. */
export type HardPart = {
  readonly files: readonly string[];
  /** Files side by side; 1 where times are measured. */
  readonly workers?: number;
};

export const hardParts: Readonly<Record<string, HardPart>> = {
  histories: { files: ['test/histories/'] },
  races: {
    files: ['orders', 'billing', 'payouts', 'recurring', 'review'].map((room) => `test/race/${room}.test.ts`),
    workers: 2,
  },
  kills: { files: ['test/race/kills.test.ts'] },
  deaths: { files: ['test/billing/deaths.test.ts', 'test/payouts/deaths.test.ts', 'test/race/real-deaths.test.ts'], workers: 2 },
  hostile: {
    files: [
      'test/wire/hostile.test.ts',
      'test/api/hostile-parameters.test.ts',
      'test/api/hostile-requests.test.ts',
      'test/load/hostile-inputs.test.ts',
    ],
  },
  faults: { files: ['test/wire/database-away.test.ts', 'test/wire/database-restarted.test.ts'] },
  overload: { files: ['test/load/overload.test.ts'] },
  slow: { files: ['test/load/slow-clients.test.ts'] },
  colluders: { files: ['test/risk/'] },
  tenants: { files: ['test/api/isolation.test.ts', 'test/api/rooms-of-others.test.ts'] },
  browsers: { files: ['test/web/', 'test/capture/', 'test/snippets/', 'test/demo/'], workers: 2 },
  zones: { files: ['test/zones.test.ts'] },
};
