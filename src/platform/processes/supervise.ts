import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { startChild, type Child } from './child.ts';
import type { HowToLeave, Ready, Task } from './messages.ts';

/** Keeps one process running for each task. */
export type Supervisor = {
  /** Null where one of them could not start: then none runs any more. */
  readonly start: () => Promise<readonly Ready[] | null>;
  /** One after another, each only when the one that takes its place serves: nobody outside notices. */
  readonly replaceAll: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A process that lasted this long was well; one that did not is started again after a pause that grows. */
const wellMs = 10_000;
const pauseMsFirst = 100;
const pauseMsMax = 10_000;
const startMsMax = 120_000;
/** A connection that rests has so long to carry a last request. */
const restingMs = 5_000;
/** What a process may take to end, after it takes no new requests; then it is ended. */
export const endMsMax = 30_000;
const killAfterMs = endMsMax + 5_000;

export const nextPauseMs = (pauseMs: number, livedMs: number): number =>
  livedMs > wellMs ? 0 : Math.min(pauseMsMax, Math.max(pauseMsFirst, pauseMs * 2));

type Place = { readonly task: Task; child: Child };
type Options = { readonly tasks: readonly Task[]; readonly log: Log; readonly drainMs: number };
/** What keeping and replacing have in common. */
type Hands = { readonly begin: (task: Task) => Child; readonly log: Log; readonly stopping: AbortSignal };

export function supervise({ tasks, log, drainMs }: Options): Supervisor {
  const stopping = new AbortController();
  const alive = new Set<Child>();
  const places: Place[] = [];
  let replacing: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;

  const begin = (task: Task): Child => {
    const child = startChild(task, () => Promise.all(places.map((place) => place.child.figures())));
    alive.add(child);
    void child.ended.then(() => alive.delete(child));
    return child;
  };
  const hands: Hands = { begin, log, stopping: stopping.signal };
  const placed = (some: readonly Task[]): Promise<ReadonlyArray<Ready | null>> => {
    const begun = some.map((task): Place => ({ task, child: begin(task) }));
    places.push(...begun);
    return Promise.all(begun.map(({ child }) => child.ready));
  };
  async function replaceEach(): Promise<void> {
    for (const place of places) if (stopping.signal.aborted || !(await replace(place, hands))) return;
  }
  async function stopAll(): Promise<void> {
    stopping.abort();
    await Promise.all([...alive].map((child) => letGo(child, { isAnnounced: true, acceptingMs: drainMs, restingMs: 0 })));
  }
  const stop = (): Promise<void> => (stopped ??= stopAll());
  return {
    async start() {
      // The first one alone: it brings the schema forward and tells what is wrong, once.
      const ready = [...(await placed(tasks.slice(0, 1)))];
      if (ready[0] && !stopping.signal.aborted) ready.push(...(await placed(tasks.slice(1))));
      const serving = ready.flatMap((one) => (one ? [one] : []));
      if (serving.length < tasks.length) {
        await stop();
        return null;
      }
      for (const place of places) void keep(place, hands);
      return serving;
    },
    replaceAll: () => (replacing = replacing.then(replaceEach)),
    stop,
  };
}

async function keep(place: Place, { begin, log, stopping }: Hands): Promise<void> {
  let pauseMs = 0;
  let since = performance.now();
  while (!stopping.aborted) {
    const { child } = place;
    const how = await child.ended;
    // Another has taken its place, and it was told to go.
    if (place.child !== child) continue;
    if (stopping.aborted) return;
    pauseMs = nextPauseMs(pauseMs, performance.now() - since);
    log.error({ process: child.name, how, pauseMs }, 'a process is gone and is started again');
    await pause(pauseMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    if (place.child === child) place.child = begin({ ...place.task, welcomes: false });
    since = performance.now();
  }
}

/** False: the new one did not come to serve, and the old one stays. */
async function replace(place: Place, { begin, log, stopping }: Hands): Promise<boolean> {
  const next = begin({ ...place.task, welcomes: false });
  const ready = await within(startMsMax, next.ready);
  if (stopping.aborted) return false;
  if (ready === null) {
    next.kill();
    log.error({ process: next.name }, 'the new process did not come to serve; the old one goes on, and no other is replaced');
    return false;
  }
  const before = place.child;
  place.child = next;
  await letGo(before, { isAnnounced: false, acceptingMs: 0, restingMs });
  log.info({ process: next.name }, 'replaced');
  return true;
}

/** Told to go, and ended where it does not. */
async function letGo(child: Child, how: HowToLeave): Promise<void> {
  child.leave(how);
  if ((await within(how.acceptingMs + how.restingMs + killAfterMs, child.ended)) !== null) return;
  child.kill();
  await child.ended;
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | null> {
  const waiting = new AbortController();
  const late = pause(ms, null, { signal: waiting.signal }).catch(() => null);
  const came = await Promise.race([value, late]);
  waiting.abort();
  return came;
}
