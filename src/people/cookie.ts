import { dayMs, secondMs } from '../platform/time.ts';
import { sessionDaysMax } from './sessions.ts';

/**
 * The cookie that opens something: a session's token. Scripts cannot read it (HttpOnly) and other sites' requests do not carry it
 * (SameSite). Over https its name begins with `__Host-`: then browsers take it from this very host only, not from a
 * neighbour under the same domain. It lasts as long as a session can at most; whether the session still does is for the
 * server to say.
 */
export function sessionCookie(baseUrl: string, token: string): string {
  return written(baseUrl, cookieName(baseUrl), token, (sessionDaysMax * dayMs) / secondMs);
}

export const noSessionCookie = (baseUrl: string): string => written(baseUrl, cookieName(baseUrl), '', 0);

/** The token that a request's Cookie header carries, or null. */
export const tokenInCookies = (baseUrl: string, header: string | undefined): string | null => cookieNamed(cookieName(baseUrl), header);

export function cookieNamed(name: string, header: string | undefined): string | null {
  for (const pair of (header ?? '').split(';', cookiesMax)) {
    const place = pair.indexOf('=');
    if (place > 0 && pair.slice(0, place).trim() === name) return pair.slice(place + 1).trim();
  }
  return null;
}

const cookiesMax = 100;

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');
export const cookieName = (baseUrl: string): string => (isSecure(baseUrl) ? '__Host-tributary' : 'tributary_session');

/** As long as browsers keep a cookie at all. Each sign-in begins it again. */
const deviceDays = 400;

/** The cookie by which an account knows a browser again, see devices.ts. It lasts beyond the session and opens nothing. */
export const deviceCookie = (baseUrl: string, name: string, value: string): string =>
  written(baseUrl, name, value, (deviceDays * dayMs) / secondMs);
export const deviceCookieName = (baseUrl: string, suffix: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}tributary_device_${suffix}`;

function written(baseUrl: string, name: string, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
