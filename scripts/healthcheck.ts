import { configFromEnvironment } from '../src/core/config.ts';

/** Checks whether the service of this container answers, for the container engine. It reads the same environment as the service. */
const answerMsMax = 4_000;

const read = configFromEnvironment();
if (read.is === 'wrong') throw new Error(read.errors.join('\n'));
const { status } = await fetch(`http://127.0.0.1:${read.config.port}/healthz`, { signal: AbortSignal.timeout(answerMsMax) });
process.exitCode = status === 200 ? 0 : 1;
