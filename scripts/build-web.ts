import { ensureWebBuilt } from '../src/platform/http/ensure-web.ts';

/** Builds the dashboards ahead of the first start, for an image or a machine on which nothing may be written later. */
console.log(`The dashboards are in ${await ensureWebBuilt()}.`);
