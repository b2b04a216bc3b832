import pino from 'pino';
import type { Config } from './config.ts';

export type Log = pino.Logger;

/**
 * Lines that wait for standard output, if its reader is slow or has stopped: about 14,000. A process that exits writes them first, 64 KiB
 * every 100 ms if the output is a full pipe: these take up to seven seconds, and a process that takes 35 seconds to end is killed.
 */
export const bufferedBytesMax = 4 * 1_048_576;
let droppedLines = 0;
/** Lines above that limit, since this process started. */
export const droppedLogLines = (): number => droppedLines;

/** Logs events as fields, one line each. Keys and bodies must not be logged; the redacted names are only a safety net. */
export function createLog(level: Config['logLevel']): Log {
  const output = pino.destination({ maxLength: bufferedBytesMax });
  output.on('drop', () => (droppedLines += 1));
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['authorization', 'cookie', 'password', 'key', '*.authorization', '*.cookie', '*.password', '*.key', 'headers'],
  };
  return pino(options, output);
}
