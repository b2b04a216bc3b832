import { appendFileSync } from 'node:fs';
import { env } from 'node:process';

/**
 * Checks every response below /api/ against the OpenAPI document. It wraps `fetch`, which every test uses to call the API, so that no test
 * can omit the check. Test files share processes, and this module runs once in each.
 */
const undescribed: string[] = [];
const plainFetch = globalThis.fetch;
/** Payment providers define these payloads. */
const apiPath = /^\/api\/(?:v1\/(?!providers\/)|partner-network\/)|^\/metrics$/;

/** Test servers of the npm package send no such IDs; test/postbacks/ verifies that every response of ours has one. */
const ownRequestId = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const { pathname, search, hostname } = new URL(input instanceof Request ? input.url : input);
  const isOurs = hostname === '127.0.0.1' || hostname === 'localhost';
  if (!apiPath.test(pathname) || !isOurs || !ownRequestId.test(response.headers.get('request-id') ?? '')) return response;
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
  const contentType = response.headers.get('content-type') ?? '';
  const isText = contentType === '' || contentType.startsWith('application/json');
  const text = isText ? await response.clone().text() : null;
  // Imported with the first response: most tests call no API, and the document needs every operation.
  const { succeededOperation, undescribedIn } = await import('./described-responses.ts');
  const answered = { method, path: pathname + search, status: response.status, contentType, text };
  const wrong = undescribedIn(answered);
  if (wrong === null) recordSuccess(succeededOperation(answered));
  else undescribed.push(wrong);
  return response;
};

/** `npm test` fails if an operation is missing in this file at the end of the run (scripts/test.ts). */
const recordFile = env['SUCCEEDED_OPERATIONS'];
const recorded = new Set<string>();

function recordSuccess(operation: string | null): void {
  if (recordFile === undefined || operation === null || recorded.has(operation)) return;
  recorded.add(operation);
  appendFileSync(recordFile, `${operation}\n`);
}

/** For a test that makes the service fail: returns the undescribed responses so far, which then do not fail the test. */
export const takeUndescribed = (): readonly string[] => undescribed.splice(0);

export function failIfUndescribed(): void {
  const found = undescribed.splice(0);
  if (found.length > 0) throw new Error(`The OpenAPI document does not describe what came:\n${found.slice(0, 10).join('\n')}`);
}
