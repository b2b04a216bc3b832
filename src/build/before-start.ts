import { printStartError } from '../processes/start-errors.ts';
import { ensureBuilt } from './ensure-built.ts';

/* oxlint-disable no-console -- It speaks to a terminal. */
/** Builds the bundle that the start is about to load. A signal ends the process and its build; what it leaves, the next build removes. */
export async function buildBeforeStart(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (): void => process.exit(0);
  for (const signal of signals) process.once(signal, end);
  try {
    await ensureBuilt('service', console.log);
  } catch (error) {
    printStartError(error);
    process.exit(1);
  }
  for (const signal of signals) process.off(signal, end);
}
