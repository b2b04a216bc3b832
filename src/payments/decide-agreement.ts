/** The Stripe service agreement of a creator's account. Null if Stripe does not pay to that country from the platform's. */
export type Agreement = 'full' | 'recipient';

// From Stripe's documentation of cross-border payouts, November 2026; see decision 0071.

/** Platforms in these countries can pay accounts in each of them under the full agreement. */
const selfServe = agreementLabels('AT BE BG CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK US');
/** The other countries that a platform in the United States can pay under the recipient agreement, once Stripe has enabled it. */
const recipients = agreementLabels(
  'AE AG AL AM AO AR AU AZ BA BD BH BJ BN BO BS BT BW CI CL CO CR DO DZ EC EG ET GA GH GM GT GY HK ID IL IN JM JO JP ' +
    'KE KH KR KW KZ LA LC LK ' +
    'MA MC MD MG MK MN MO MU MX MY MZ NA NE NG NZ OM PA PE PH PK PY QA RS RW SA SG SM SN SV TH TN TR TT TW TZ UY UZ VN ZA',
);
const platformOfRecipients = 'US';

export function decideAgreement({ platform, creator }: { readonly platform: string; readonly creator: string }): Agreement | null {
  if (creator === platform) return 'full';
  if (selfServe.includes(platform) && selfServe.includes(creator)) return 'full';
  if (platform === platformOfRecipients && recipients.includes(creator)) return 'recipient';
  return null;
}

/** Sorted by country code. */
export function payableCountries(platform: string): readonly string[] {
  const all = [...new Set([platform, ...selfServe, ...recipients])];
  return all.filter((creator) => decideAgreement({ platform, creator }) !== null).toSorted();
}

function agreementLabels(text: string): readonly string[] {
  return text.split(' ');
}
