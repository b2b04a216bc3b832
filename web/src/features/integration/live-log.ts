import { useEffect, useState } from 'react';
import { parseJson } from '../../../../sdk/src/exact-json.ts';
import type { LogEntry } from '../../../../sdk/src/api-schema.ts';
import { logPath } from '../tracking/tracking-api.ts';

/** Older lines are in the tracking log. */
const linesMax = 100;
const reconnectMs = 5_000;

export type LiveLog = { readonly lines: readonly LogEntry[]; readonly isConnected: boolean };

/** The tracking log as a live stream, newest first. */
export function useLiveLog(store: string): LiveLog {
  const [log, setLog] = useState<LiveLog>({ lines: [], isConnected: false });
  useEffect(
    () =>
      listen(`/api/v1${logPath(store)}/stream`, {
        onConnectionChange: (isConnected) => setLog((before) => ({ ...before, isConnected })),
        onLine: (line) =>
          setLog(({ lines }) => ({ isConnected: true, lines: [line, ...lines.filter(({ id }) => id !== line.id)].slice(0, linesMax) })),
      }),
    [store],
  );
  return log;
}

type LiveLogListener = { readonly onConnectionChange: (isConnected: boolean) => void; readonly onLine: (line: LogEntry) => void };

/**
 * Listens until the returned function is called. The browser reconnects after a broken connection, but treats a response that is not a
 * stream, such as a proxy's error page, as the end; this reconnects in that case.
 */
function listen(address: string, { onConnectionChange, onLine }: LiveLogListener): () => void {
  let source = new EventSource(address);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    source.addEventListener('open', () => onConnectionChange(true));
    source.addEventListener('error', () => {
      onConnectionChange(false);
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        source = new EventSource(address);
        connect();
      }, reconnectMs);
    });
    source.addEventListener('postback', ({ data }: MessageEvent<string>) => onLine(parseLogLine(data)));
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** Keeps all digits of large numbers. The service validates its events against the same schema as its list. */
export const parseLogLine = (data: string): LogEntry => parseJson(data) as LogEntry;
