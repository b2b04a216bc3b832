import { ensureBuilt } from '../src/build/ensure-built.ts';
import { outputNames } from '../src/build/outputs.mjs';

/** Builds the service and the dashboards ahead of the first start, for an image or a machine with a read-only file system. */
for (const output of outputNames) console.log(`Built: ${await ensureBuilt(output, console.log)}`);
