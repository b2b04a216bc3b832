import { programFolder } from '../core/program-folder.ts';
import { secondMs } from '../core/time.ts';
import { createThreadPool, type ThreadResult, type ThreadPoolLimits } from '../processes/thread-pool.ts';
import type { PageInspection } from './inspect-page.ts';
import type { PageToInspect } from './inspect-page-thread.ts';
import { apiMessage } from '../messages/api-message.ts';

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

const entry = new URL('src/capture/inspect-page-thread.ts', programFolder);

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

const tooComplex = apiMessage('page_inspector.its_html_too_large_or');

const sentences: Readonly<Record<Why, (limits: ThreadPoolLimits) => string>> = {
  time: ({ timeoutMs }) => apiMessage('page_inspector.time', { timeoutMs: timeoutMs / secondMs, tooComplex }),
  memory: ({ heapMb }) => apiMessage('page_inspector.memory', { heapMb, tooComplex }),
  error: () => apiMessage('page_inspector.page_could_not_inspected_check'),
  busy: () => apiMessage('page_inspector.busy'),
  closed: () => apiMessage('page_inspector.closed'),
};
