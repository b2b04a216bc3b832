import type { IncomingHttpHeaders } from 'node:http';

const shape = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace that a request belongs to, by the header of W3C Trace Context. It goes into what we log about the request, so
 * that whoever follows a trace finds our lines; decision 0029 says why there is no more.
 */
export function traceOf({ traceparent }: IncomingHttpHeaders): { readonly trace?: string } {
  if (typeof traceparent !== 'string' || traceparent.startsWith('ff-')) return {};
  const trace = shape.exec(traceparent)?.[1];
  return trace === undefined || /^0+$/.test(trace) ? {} : { trace };
}
