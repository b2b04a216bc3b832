import { useEffect, useState } from 'react';
import { logPath, type LogLine } from './tracking-api.ts';

/** Older ones stand in the list. */
const linesKept = 100;

export type LiveLog = { readonly lines: readonly LogLine[]; readonly isConnected: boolean };

/** The log as it happens, the newest first. The browser comes again by itself when the connection breaks. */
export function useLiveLog(store: string): LiveLog {
  const [log, setLog] = useState<LiveLog>({ lines: [], isConnected: false });
  useEffect(() => {
    const source = new EventSource(`/api/v1${logPath(store)}/stream`);
    const mark = (isConnected: boolean) => () => setLog((before) => ({ ...before, isConnected }));
    source.addEventListener('open', mark(true));
    source.addEventListener('error', mark(false));
    source.addEventListener('postback', ({ data }: MessageEvent<string>) => {
      const line = readLine(data);
      setLog(({ lines }) => ({
        isConnected: true,
        lines: [line, ...lines.filter(({ id }) => id !== line.id)].slice(0, linesKept),
      }));
    });
    return () => source.close();
  }, [store]);
  return log;
}

// The service checks its events against the same schema as its list.
const readLine = (data: string): LogLine => JSON.parse(data);
