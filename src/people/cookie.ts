import { dayMs, secondMs } from '../core/time.ts';

/** A session ends after this long without use, and in any case after the longer time. */
export const sessionIdleDays = 30;
export const sessionDaysMax = 90;

/**
 * The session cookie. Scripts cannot read it (HttpOnly), and requests from other sites do not carry it (SameSite). Over https its name
 * begins with `__Host-`, so that browsers accept it from this host only, not from another host of the same domain. It lasts as long as the
 * longest session; the server decides whether the session is still valid.
 */
export function sessionCookie(baseUrl: string, token: string): string {
  return formatCookie(baseUrl, sessionCookieName(baseUrl), token, (sessionDaysMax * dayMs) / secondMs);
}

export const expiredSessionCookie = (baseUrl: string): string => formatCookie(baseUrl, sessionCookieName(baseUrl), '', 0);

/** The token that a request's Cookie header carries, or null. */
export const readSessionToken = (baseUrl: string, header: string | undefined): string | null =>
  readCookie(sessionCookieName(baseUrl), header);

export function readCookie(name: string, header: string | undefined): string | null {
  for (const pair of (header ?? '').split(';', cookiesMax)) {
    const index = pair.indexOf('=');
    if (index > 0 && pair.slice(0, index).trim() === name) return pair.slice(index + 1).trim();
  }
  return null;
}

const cookiesMax = 100;

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith('https:');
export const sessionCookieName = (baseUrl: string): string => (isSecure(baseUrl) ? '__Host-tributary' : 'tributary_session');

/** The maximum lifetime that browsers allow. Each sign-in restarts it. */
const deviceDays = 400;

/** The cookie by which an account recognizes a browser, see sessions.ts. It outlives the session and grants no access. */
export const deviceCookie = (baseUrl: string, name: string, value: string): string =>
  formatCookie(baseUrl, name, value, (deviceDays * dayMs) / secondMs);
export const deviceCookieName = (baseUrl: string, suffix: string): string =>
  `${isSecure(baseUrl) ? '__Host-' : ''}tributary_device_${suffix}`;

function formatCookie(baseUrl: string, name: string, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(baseUrl) ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
