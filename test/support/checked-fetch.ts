/**
 * Checks every response below /api/ against the OpenAPI document. It wraps `fetch`, which every test uses to call the API, so that no test
 * can omit the check. Test files share processes, and this module runs once in each.
 */
const undescribed: string[] = [];
const plainFetch = globalThis.fetch;
/** Payment providers define these payloads. */
const apiPath = /^\/api\/(?:v1\/(?!providers\/)|partner-network\/)/;

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
  const { undescribedIn } = await import('./described-responses.ts');
  const wrong = undescribedIn({ method, path: pathname + search, status: response.status, contentType, text });
  if (wrong !== null) undescribed.push(wrong);
  return response;
};

/** For a test that makes the service fail: returns the undescribed responses so far, which then do not fail the test. */
export const takeUndescribed = (): readonly string[] => undescribed.splice(0);

export function failIfUndescribed(): void {
  const found = undescribed.splice(0);
  if (found.length > 0) throw new Error(`The OpenAPI document does not describe what came:\n${found.slice(0, 10).join('\n')}`);
}
