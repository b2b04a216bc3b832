import { ensureDashboardsBuilt } from '../src/http/build-dashboards.ts';

/** Builds the dashboards ahead of the first start, for an image or a machine with a read-only file system. */
console.log(`The dashboards are in ${await ensureDashboardsBuilt()}.`);
