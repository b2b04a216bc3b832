import pino from 'pino';
import type { Config } from './config.ts';

export type Log = pino.Logger;

/** Logs events as fields, one line each. Keys and bodies must not be logged; the redacted names are only a safety net. */
export function createLog(level: Config['logLevel']): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['authorization', 'cookie', 'password', 'key', '*.authorization', '*.cookie', '*.password', '*.key', 'headers'],
  });
}
