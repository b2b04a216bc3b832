import { env } from 'node:process';

/**
 * Changes the current time for a whole test run: `ODD_CLOCK=leap-day` starts just before the end of February 29, `steps` repeatedly sets
 * the clock an hour forward and back, as a machine may do that synchronizes its clock.
 */
const clocks: Readonly<Record<string, (realMs: number) => number>> = { 'leap-day': leapDay(), steps: steps() };

const odd = clocks[env['ODD_CLOCK'] ?? ''];
if (odd !== undefined) {
  const RealDate = Date;
  const now = () => odd(RealDate.now());
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: readonly unknown[], newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

function leapDay(): (realMs: number) => number {
  const ahead = Date.UTC(2028, 1, 29, 23, 59, 50) - Date.now();
  return (realMs) => realMs + ahead;
}

function steps(): (realMs: number) => number {
  const hourMs = 3_600_000;
  const every = 7;
  let reads = 0;
  return (realMs) => realMs + (Math.floor((reads += 1) / every) % 2 === 0 ? hourMs : -hourMs);
}
