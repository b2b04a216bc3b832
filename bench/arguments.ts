import { parseArgs } from 'node:util';
import type { Pace } from './bench.ts';

const usage = `npm run bench -- [--quick | --full] [--only <part>] [--json]

Measures speed as ratios within one run, because absolute numbers say more about the machine.
The load comes from wrk where it is installed, otherwise from the benchmark itself.

  --quick         takes a few minutes, with small tables and short rounds
  --full          10,000,000 clicks and as many commissions, with longer rounds
  --only PART     clicks, postbacks, cost, billing, questions, or service
  --json          prints one JSON object and nothing else
  --codes         the terms count discount codes and returning customers, and each order names a code
  --clicks N      clicks that the tables contain in the second half
  --commissions N commissions that the tables contain for the queries
  --billed N      commissions to invoice
  --profile DIR   writes CPU profiles of the service to this folder
`;

const usualPace: Pace = {
  warmUpSeconds: 5,
  costWarmUpSeconds: 20,
  idleAfterSeconds: 240,
  lives: 3,
  rounds: 6,
  seconds: 1,
  latencySeconds: 12,
  latencyAimSeconds: 60,
};

const sizes = {
  quick: {
    clicks: 0,
    commissions: 10_000,
    billed: 10_000,
    pace: {
      warmUpSeconds: 0.5,
      costWarmUpSeconds: 1,
      idleAfterSeconds: 75,
      lives: 1,
      rounds: 2,
      seconds: 0.5,
      latencySeconds: 2,
      latencyAimSeconds: 2,
    },
  },
  usual: {
    clicks: 2_000_000,
    commissions: 1_000_000,
    billed: 1_000_000,
    pace: usualPace,
  },
  full: {
    clicks: 10_000_000,
    commissions: 10_000_000,
    // Invoicing ten million commissions takes 15 minutes, and preparing and verifying them takes as long again.
    billed: 2_000_000,
    pace: { ...usualPace, seconds: 3 },
  },
};

/** The command-line arguments. */
export function readArguments() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      clicks: { type: 'string' },
      commissions: { type: 'string' },
      billed: { type: 'string' },
      only: { type: 'string' },
      codes: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const size = sizes[values.quick ? 'quick' : values.full ? 'full' : 'usual'];
  return {
    ...values,
    pace: size.pace,
    clicks: Number(values.clicks ?? size.clicks),
    commissions: Number(values.commissions ?? size.commissions),
    billed: Number(values.billed ?? size.billed),
    /** Partial runs and smaller sizes prove nothing about the full benchmark. */
    isProof:
      !values.quick &&
      !values.codes &&
      [values.clicks, values.commissions, values.billed, values.only].every((value) => value === undefined),
  };
}
