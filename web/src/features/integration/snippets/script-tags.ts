export type ScriptValues = {
  /** The service's origin. */
  readonly origin: string;
  /** The path and hash of the immutable copy. */
  readonly immutablePath: string;
  readonly integrity: string;
};

export type ScriptVariant = {
  readonly name: string;
  readonly note: string;
  readonly code: (values: ScriptValues) => string;
};

/** Consent may be known before the script has loaded. */
const grantConsentSnippet = (when: string) => `<script>
  // ${when}:
  if (window.ServiceCapture) window.ServiceCapture.grantConsent();
  else document.querySelector('script[src*="/api/pn/sdk/v1."]')
    .addEventListener('load', function () { window.ServiceCapture.grantConsent(); });
</script>`;

const scriptUrl = ({ origin }: Pick<ScriptValues, 'origin'>) => `${origin}/api/pn/sdk/v1.js`;

/** The tag that also adds the click to Stripe's Payment Links. */
export const paymentLinkTag = (values: Pick<ScriptValues, 'origin'>): string =>
  `<script src="${scriptUrl(values)}" data-rm-payment-links="buy.stripe.com" defer></script>`;

/** The script tag in its variants. The attributes are the capture script's own; it reads no others. */
export const scriptVariants: readonly ScriptVariant[] = [
  {
    name: 'Plain',
    note: 'Into the head of every page that a creator’s link can lead to. It keeps the click for 30 days in a cookie of your own site; data-rm-max-age-days="60" makes it 60 (1 to 365).',
    code: (values) => `<script src="${scriptUrl(values)}" defer></script>`,
  },
  {
    name: 'With consent',
    note: 'Until grantConsent() nothing is read or stored. Consent is asked for again on every page, so call it on every page of a shopper who agreed; it may be called any number of times.',
    code: (values) => `<script src="${scriptUrl(values)}" data-rm-consent-mode="explicit" defer></script>

${grantConsentSnippet('In the callback of your consent manager, once the shopper has agreed')}`,
  },
  {
    name: 'Tag manager',
    note: 'As a tag of custom HTML on all pages. Tag managers take data attributes away, so the settings stand in the address. Let it fire as early as it can: a shopper who leaves before is missed.',
    code: (values) => `<script src="${scriptUrl(values)}?consent-mode=explicit&max-age-days=30"></script>

${grantConsentSnippet('In a second tag, which fires on the trigger of your consent manager')}`,
  },
  {
    name: 'Single-page app',
    note: 'The click is read once, from the address with which the page was loaded. A router that rewrites the address at once would be first: so without defer, and above your own scripts. Nothing is to be done on later routes.',
    code: (values) => `<head>
  <script src="${scriptUrl(values)}"></script>
  <script type="module" src="/your-app.js"></script>
</head>`,
  },
  {
    name: 'Pinned',
    note: 'The same bytes for ever, and the browser checks them. A strict Content-Security-Policy must allow the address in script-src, in each of these variants.',
    code: ({ origin, immutablePath, integrity }) => `<script src="${origin}${immutablePath}"
  integrity="${integrity}"
  crossorigin="anonymous" defer></script>`,
  },
];
