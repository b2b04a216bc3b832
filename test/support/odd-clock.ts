import { env } from 'node:process';

/**
 * Another now for a whole run of tests: `ODD_CLOCK=leap-day` puts its beginning just before the end of a 29th of February, `steps` lets
 * the clock be set an hour forward and back, again and again, as a machine does that asks the time of others.
 */
const clocks: Readonly<Record<string, (realMs: number) => number>> = { 'leap-day': leapDay(), steps: steps() };

const odd = clocks[env['ODD_CLOCK'] ?? ''];
if (odd !== undefined) {
  const RealDate = Date;
  const now = () => odd(RealDate.now());
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: readonly unknown[], asWhat) => Reflect.construct(target, given.length === 0 ? [now()] : given, asWhat),
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
  let asked = 0;
  return (realMs) => realMs + (Math.floor((asked += 1) / every) % 2 === 0 ? hourMs : -hourMs);
}
