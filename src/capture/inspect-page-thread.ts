import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { inspectPage, type FetchedPage } from './inspect-page.ts';

/** A page with its bytes as received. */
export type PageToInspect = {
  readonly page: Omit<FetchedPage, 'html'> & { readonly body: Uint8Array };
  readonly baseUrl: string;
};

// On Linux, this applies to the calling thread only; elsewhere it would slow down the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const given: PageToInspect = workerData;
const { body, ...page } = given.page;
const html = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
// Posts to the parent thread; no window is involved.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(inspectPage({ ...page, html }, given.baseUrl));
