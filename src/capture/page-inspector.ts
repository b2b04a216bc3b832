import { secondMs } from '../core/time.ts';
import { createThreadPool, type ThreadResult, type ThreadPoolLimits } from '../processes/thread-pool.ts';
import type { PageInspection } from './inspect-page.ts';
import type { PageToInspect } from './inspect-page-thread.ts';

/**
 * The worst known page of 2 MB takes some tenths of a second and 20 MB. The heap limit is far above that: a thread near its limit is
 * terminated, but one allocation far beyond it would end the process, so an inspection keeps little of a page.
 */
export const pageLimits: ThreadPoolLimits = { atOnce: 2, waitingMax: 16, timeoutMs: 5 * secondMs, heapMb: 128 };

export type Inspected =
  | { readonly is: 'inspected'; readonly inspection: PageInspection }
  /** A sentence for the merchant. */
  | { readonly is: 'stopped'; readonly message: string };

export type PageInspector = {
  readonly inspect: (page: PageToInspect) => Promise<Inspected>;
  readonly close: () => Promise<void>;
};

const entry = new URL('./inspect-page-thread.ts', import.meta.url);

/** Inspects untrusted pages in separate threads, with limits for time and memory. */
export function openPageInspector(limits: ThreadPoolLimits = pageLimits): PageInspector {
  const pool = createThreadPool<PageInspection>(limits);
  return {
    close: pool.close,
    async inspect({ page, baseUrl }) {
      // Copies the bytes, because a transferred buffer must not be part of a pool.
      const body = new Uint8Array(page.body);
      const end = await pool.run({ entry, data: { page: { ...page, body }, baseUrl } satisfies PageToInspect, transfer: [body.buffer] });
      if (end.is === 'done') return { is: 'inspected', inspection: end.value };
      return { is: 'stopped', message: sentences[end.why](limits) };
    },
  };
}

type Why = Extract<ThreadResult<unknown>, { readonly is: 'stopped' }>['why'];

const tooComplex = 'Its HTML is too large or too complex. Simplify the page, or check a simpler page of the store that has the same tag.';

const sentences: Readonly<Record<Why, (limits: ThreadPoolLimits) => string>> = {
  time: ({ timeoutMs }) => `The page could not be inspected within ${timeoutMs / secondMs} seconds. ${tooComplex}`,
  memory: ({ heapMb }) => `Inspecting the page needs more than ${heapMb} MB of memory. ${tooComplex}`,
  error: () => 'The page could not be inspected. Check it again, or check a simpler page of the store that has the same tag.',
  busy: () => 'Too many pages are being inspected right now. Check the page again in a minute.',
  closed: () => 'The service restarted before the page was inspected. Check the page again.',
};
