import { afterAll, afterEach } from 'vitest';

/**
 * Loaded into every test process (vitest.config.ts): whatever a test is answered below /api/ must be what the OpenAPI document says.
 * It wraps `fetch`, by which every test calls the API, so that no test can forget it. A test that was answered otherwise fails at its
 * end, with everything that was undescribed.
 */
const undescribed: string[] = [];
const plainFetch = globalThis.fetch;
/** What payment providers send is theirs to describe. */
const apiPath = /^\/api\/(?:v1\/(?!providers\/)|partner-network\/)/;

/** Servers that tests of the npm package put in our place make no such ids; test/wire/ holds that every answer of ours has one. */
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
  // Loaded with the first answer: most tests call no API, and the document needs every operation.
  const { undescribedIn } = await import('./described-answers.ts');
  const wrong = undescribedIn({ method, path: pathname + search, status: response.status, contentType, text });
  if (wrong !== null) undescribed.push(wrong);
  return response;
};

/** For a test that makes the service fail: what was answered otherwise than described so far, which then fails no test. */
export const takeUndescribed = (): readonly string[] => undescribed.splice(0);

function failIfUndescribed(): void {
  const found = undescribed.splice(0);
  if (found.length > 0) throw new Error(`The OpenAPI document does not describe what came:\n${found.slice(0, 10).join('\n')}`);
}
afterEach(failIfUndescribed);
afterAll(failIfUndescribed);
