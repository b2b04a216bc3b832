import type { CsvColumn } from '../platform/http/csv.ts';
import type { LineJson } from './log-api.ts';

/** The columns of the file, named as in JSON; without the bodies, which stand with each line. New ones come last. */
export const lineColumns: ReadonlyArray<CsvColumn<LineJson>> = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'at', cell: ({ at }) => at },
  { title: 'operation', cell: ({ operation }) => operation },
  { title: 'status', cell: ({ status }) => status },
  { title: 'reason', cell: ({ reason }) => reason },
  { title: 'subject', cell: ({ subject }) => subject },
  { title: 'test', cell: ({ test }) => test },
  { title: 'replay', cell: ({ replay }) => replay },
  { title: 'request_id', cell: ({ request_id: id }) => id },
  { title: 'postback_key_id', cell: ({ postback_key_id: id }) => id },
  { title: 'latency_ms', cell: ({ latency_ms: ms }) => ms },
  { title: 'warnings', cell: ({ warnings }) => warnings.map(({ code }) => code).join(' ') },
  { title: 'explanation', cell: ({ explanation }) => explanation },
];
