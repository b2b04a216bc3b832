import { expect, test } from 'vitest';
import { decideVisit, type Visit, type VisitFacts } from './decide-visit.ts';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const person: VisitFacts = { method: 'GET', userAgent: chrome, purpose: undefined, fetchDestination: 'document' };

// Each row also breaks what the rows below it look at.
test.each<[Visit, Partial<VisitFacts>]>([
  ['head', { method: 'HEAD', purpose: 'prefetch', userAgent: 'Googlebot/2.1', fetchDestination: 'image' }],
  ['prefetch', { purpose: 'prefetch', userAgent: 'Googlebot/2.1', fetchDestination: 'image' }],
  ['prefetch', { purpose: 'prefetch;prerender' }],
  ['prefetch', { purpose: 'Preview' }],
  ['bot', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', fetchDestination: 'image' }],
  ['bot', { userAgent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' }],
  ['bot', { userAgent: 'WhatsApp/2.23.20.0' }],
  ['bot', { userAgent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
  ['bot', { userAgent: 'curl/8.5.0' }],
  ['bot', { userAgent: '' }],
  ['bot', { userAgent: undefined }],
  ['subresource', { fetchDestination: 'image' }],
  ['subresource', { fetchDestination: 'iframe' }],
  ['subresource', { fetchDestination: 'empty' }],
  ['person', {}],
  ['person', { fetchDestination: undefined }],
  ['person', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 350.0' }],
])('gives a click ID to a person only: %s <- %o', (expected, facts) => {
  expect(decideVisit({ ...person, ...facts })).toBe(expected);
});
