import { useEffect, useState } from 'react';
import { readJson } from '../read-json.ts';
import { logPath, type LogLine } from './tracking-api.ts';

/** Older ones stand in the list. */
const linesKept = 100;
const againMs = 5_000;

export type LiveLog = { readonly lines: readonly LogLine[]; readonly isConnected: boolean };

/** The log as it happens, the newest first. */
export function useLiveLog(store: string): LiveLog {
  const [log, setLog] = useState<LiveLog>({ lines: [], isConnected: false });
  useEffect(
    () =>
      listen(`/api/v1${logPath(store)}/stream`, {
        mark: (isConnected) => setLog((before) => ({ ...before, isConnected })),
        hear: (line) =>
          setLog(({ lines }) => ({ isConnected: true, lines: [line, ...lines.filter(({ id }) => id !== line.id)].slice(0, linesKept) })),
      }),
    [store],
  );
  return log;
}

type Listener = { readonly mark: (isConnected: boolean) => void; readonly hear: (line: LogLine) => void };

/**
 * Until it is told to stop. The browser comes again by itself when a connection breaks; an answer that is no stream, as of a
 * service that is away behind a proxy, it takes for the end, so that this comes again in its place.
 */
function listen(address: string, { mark, hear }: Listener): () => void {
  let source = new EventSource(address);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    source.addEventListener('open', () => mark(true));
    source.addEventListener('error', () => {
      mark(false);
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        source = new EventSource(address);
        begin();
      }, againMs);
    });
    source.addEventListener('postback', ({ data }: MessageEvent<string>) => hear(readLine(data)));
  };
  begin();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** Large numbers keep their digits, as in the list. The service checks its events against the same schema as its list. */
export const readLine = (data: string): LogLine => readJson(data) as LogLine;
