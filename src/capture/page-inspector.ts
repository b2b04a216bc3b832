import { secondMs } from '../platform/time.ts';
import { openWorkerPool, type WorkerEnd, type WorkerLimits } from '../platform/worker-pool.ts';
import type { PageInspection } from './inspect-page.ts';
import type { PageToInspect } from './inspect-page-thread.ts';

/**
 * The worst page of two megabytes that we know takes some tenths of a second and 20 MB. The heap's limit lies far above that: a thread that
 * comes near its limit is ended, but one allocation far beyond it would end the process, so an inspection itself keeps little of a page.
 */
export const pageLimits: WorkerLimits = { atOnce: 2, waitingMax: 16, timeoutMs: 5 * secondMs, heapMb: 128 };

export type Inspected =
  | { readonly is: 'inspected'; readonly inspection: PageInspection }
  /** In a sentence for the merchant. */
  | { readonly is: 'stopped'; readonly message: string };

export type PageInspector = {
  readonly inspect: (page: PageToInspect) => Promise<Inspected>;
  readonly close: () => Promise<void>;
};

const entry = new URL('./inspect-page-thread.ts', import.meta.url);

/** Inspects pages of strangers in threads of their own, with limits for time and memory. */
export function openPageInspector(limits: WorkerLimits = pageLimits): PageInspector {
  const pool = openWorkerPool<PageInspection>(limits);
  return {
    close: pool.close,
    async inspect({ page, baseUrl }) {
      // A copy, because a buffer that is handed over must not be part of a shared one.
      const body = new Uint8Array(page.body);
      const end = await pool.run({ entry, data: { page: { ...page, body }, baseUrl } satisfies PageToInspect, transfer: [body.buffer] });
      if (end.is === 'done') return { is: 'inspected', inspection: end.value };
      return { is: 'stopped', message: sentences[end.why](limits) };
    },
  };
}

type Why = Extract<WorkerEnd<unknown>, { readonly is: 'stopped' }>['why'];

const tooComplex = 'Its HTML is too large or too complex. Simplify the page, or check a simpler page of the store that has the same tag.';

const sentences: Readonly<Record<Why, (limits: WorkerLimits) => string>> = {
  time: ({ timeoutMs }) => `The page could not be inspected within ${timeoutMs / secondMs} seconds. ${tooComplex}`,
  memory: ({ heapMb }) => `Inspecting the page needs more than ${heapMb} MB of memory. ${tooComplex}`,
  error: () => 'The page could not be inspected. Check it again, or check a simpler page of the store that has the same tag.',
  busy: () => 'Too many pages are being inspected right now. Check the page again in a minute.',
  closed: () => 'The service restarted before the page was inspected. Check the page again.',
};
