/** Which of Stripe's agreements a creator's account is made under. Null: Stripe pays nobody in that country from ours. */
export type Agreement = 'full' | 'recipient';

// Stripe's documentation of cross-border payouts, as of November 2026 (decision 0071 says what it promises and since when).

/** Platforms in these countries pay to accounts in each of them, under the full agreement. */
const selfServe = words('AT BE BG CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK US');
/** Beside those, what a platform in the United States pays to under the recipient agreement, once Stripe has enabled it. */
const recipients = words(
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

/** In the order of their letters. */
export function payableCountries(platform: string): readonly string[] {
  const all = [...new Set([platform, ...selfServe, ...recipients])];
  return all.filter((creator) => decideAgreement({ platform, creator }) !== null).toSorted();
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
