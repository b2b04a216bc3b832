import pino from 'pino';
import type { Config } from './config.ts';

export type Log = pino.Logger;

/** Events as fields, one line each. Never a key, never a body: the names below are a last net, not the rule. */
export function createLog(level: Config['logLevel']): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['authorization', 'cookie', 'password', 'key', '*.authorization', '*.cookie', '*.password', '*.key', 'headers'],
  });
}
