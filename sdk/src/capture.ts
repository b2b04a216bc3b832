import { clickFromCookie, clickSetCookie, isClickId } from './click.ts';
import { timeInClick } from './click-time.ts';

/** The parts of a request that a middleware needs, independent of the framework. */
type Visit = {
  readonly method: string;
  /** Path and query, or the whole URL. */
  readonly url: string;
  readonly isSecure: boolean;
  readonly header: (name: string) => string | null;
};

export type CaptureOptions<Request> = {
  /**
   * Whether this shopper has consented to the cookie: read the choice that your consent manager stored in the request. Called for every
   * request that carries a click, before a stored click is read. `() => true` only where no consent is needed.
   */
  readonly consent: (request: Request) => boolean | Promise<boolean>;
  /** 1 to 365; default 30. */
  readonly maxAgeDays?: number | undefined;
};

type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>;
type NodeRequest = { readonly method?: string | undefined; readonly url?: string | undefined; readonly headers: HeaderFields };
export type ExpressRequest = NodeRequest & { readonly originalUrl: string; readonly secure: boolean };
export type ExpressResponse = { append(name: string, value: string): unknown; set(name: string, value: string): unknown };
export type FastifyRequest = NodeRequest & { readonly protocol: string };
export type FastifyReply = { header(name: string, value: string): unknown };
export type WebRequest = { readonly method: string; readonly url: string; readonly headers: { get(name: string): string | null } };
export type WebResponse = { readonly headers: { append(name: string, value: string): void; set(name: string, value: string): void } };

/** `app.use(captureForExpress({ consent }))`. Behind a proxy set `trust proxy`, or the cookie will not be `Secure`. */
export function captureForExpress<Request extends ExpressRequest>(options: CaptureOptions<Request>) {
  const capture = captureBy(options);
  return (request: Request, response: ExpressResponse, next: (error?: unknown) => void): void => {
    const visit = { ...visitOf(request), url: request.originalUrl, isSecure: request.secure };
    const run = async (): Promise<void> => {
      const cookie = await capture(request, visit).catch((error: unknown) => ({ error }));
      if (typeof cookie === 'object' && cookie !== null) return next(cookie.error);
      if (cookie !== null) {
        response.append('Set-Cookie', cookie);
        response.set('Cache-Control', notShared);
      }
      next();
    };
    void run();
  };
}

/** `app.addHook('onRequest', captureForFastify({ consent }))`. Behind a proxy set `trustProxy`. */
export function captureForFastify<Request extends FastifyRequest>(options: CaptureOptions<Request>) {
  const capture = captureBy(options);
  return async (request: Request, reply: FastifyReply): Promise<void> => {
    const cookie = await capture(request, { ...visitOf(request), isSecure: request.protocol === 'https' });
    if (cookie === null) return;
    reply.header('set-cookie', cookie);
    reply.header('cache-control', notShared);
  };
}

/** In Next middleware, and in any runtime with the standard `Request` and `Response`: `return capture(request, NextResponse.next())`. */
export function captureForWeb<Request extends WebRequest>(options: CaptureOptions<Request>) {
  const capture = captureBy(options);
  return async <Response extends WebResponse>(request: Request, response: Response): Promise<Response> => {
    const header = (name: string) => request.headers.get(name);
    const isSecure = request.url.startsWith('https:') || header('x-forwarded-proto') === 'https';
    const cookie = await capture(request, { method: request.method, url: request.url, isSecure, header });
    if (cookie !== null) {
      response.headers.append('set-cookie', cookie);
      response.headers.set('cache-control', notShared);
    }
    return response;
  };
}

/** A copy of this response in a shared cache would give this shopper's click to other visitors. */
const notShared = 'private, no-store';
const parameter = 'rm_click';

/** The cookie to set, or null. It equals the script's cookie, but is set by a server: browsers do not cut its lifetime to seven days. */
function captureBy<Request>({ consent, maxAgeDays = 30 }: CaptureOptions<Request>) {
  if (!Number.isInteger(maxAgeDays) || maxAgeDays < 1 || maxAgeDays > 365)
    throw new RangeError('Tributary: maxAgeDays must be a whole number from 1 to 365.');
  if (typeof consent !== 'function') throw new TypeError('Tributary: consent must be a function of the request.');
  return async (request: Request, visit: Visit): Promise<string | null> => {
    const click = clickIn(visit);
    if (click === null || !isShown(visit)) return null;
    // Checked before the cookie is read, too.
    const isGranted: unknown = await consent(request);
    if (isGranted !== true) return null;
    if (isKept(click, clickFromCookie(visit.header('cookie')))) return null;
    return clickSetCookie(click, { isSecure: visit.isSecure, maxAgeDays });
  };
}

/** Returns the first click of the query; ignores values without the format of a click. */
function clickIn({ url }: Visit): string | null {
  const query = /\?([^#]*)/.exec(url)?.[1];
  const click = query === undefined ? null : new URLSearchParams(query).get(parameter);
  return isClickId(click) ? click : null;
}

/** A page that a person sees: no image, no script request, no prefetch. */
function isShown({ method, header }: Visit): boolean {
  const target = header('sec-fetch-dest');
  const isPage = method === 'GET' && (target === null || target === 'document');
  return isPage && header('sec-purpose') === null && header('purpose') !== 'prefetch' && header('next-router-prefetch') === null;
}

/**
 * A reload does not extend the lifetime of a click, and an old tab that is reopened is not a new click. If one of the two clicks does not
 * show its time, the last one wins.
 */
function isKept(click: string, stored: string | null): boolean {
  if (click === stored) return true;
  const [mine, other] = [timeInClick(click), timeInClick(stored ?? '')];
  return mine !== null && other !== null && mine < other;
}

function visitOf({ method, url, headers }: NodeRequest): Omit<Visit, 'isSecure'> {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value : (value?.[0] ?? null);
  };
  return { method: method ?? '', url: url ?? '', header };
}
