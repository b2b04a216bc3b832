import { dayMs } from '../../core/time.ts';
import type { ProgramPage } from '../../merchants/program-page-sql.ts';
import type { WorldNames } from './seed.ts';

/** The monthly subscription of the store. */
export const coffeeClub = { product_id: 'coffee-club', price_id: 'coffee-club-monthly' } as const;

export type Product = { readonly id: string; readonly path: string; readonly cents: number };

const houseBlend: Product = { id: 'house-blend-12oz', path: '/house-blend', cents: 1_850 };
const beans: readonly Product[] = [
  houseBlend,
  { id: 'huila-single-origin-12oz', path: '/huila', cents: 2_200 },
  { id: 'decaf-12oz', path: '/decaf', cents: 1_950 },
  { id: 'cold-brew-bags-10', path: '/cold-brew', cents: 2_600 },
];
const handGrinder: Product = { id: 'hand-grinder', path: '/hand-grinder', cents: 11_900 };
const pourOverSet: Product = { id: 'pour-over-set', path: '/pour-over', cents: 6_400 };
const giftBox: Product = { id: 'gift-box', path: '/gift-box', cents: 5_200 };
const gear: readonly Product[] = [handGrinder, pourOverSet, giftBox, { id: 'enamel-mug', path: '/enamel-mug', cents: 1_600 }];

const kettle: Product = { id: 'gooseneck-kettle', path: '/kettle', cents: 8_900 };
const espressoKit: Product = { id: 'espresso-starter-kit', path: '/espresso-kit', cents: 14_500 };

/** The products that the program with commissions per product names. */
export const brewingGear: readonly Product[] = [kettle, espressoKit];

/** The seeded history is about a coffee roaster, what it sells, and the creators who recommend it. */
export const storyNames = {
  operator: 'Olivia Grant',
  merchant: 'Maya Lindqvist',
  creator: 'Clara Reyes',
  store: 'Harbor Coffee',
  otherStore: 'Northlight Ceramics',
  program: 'Harbor Coffee Partners',
  perProduct: 'Brewing gear',
  otherProgram: 'Northlight Partners',
  mailboxes: { operator: 'olivia.grant', merchant: 'maya.lindqvist', creator: 'clara.reyes' },
  hosts: ['harbor-coffee', 'northlight'],
  products: { plan: coffeeClub, share: kettle.id, flat: espressoKit.id },
} as const satisfies WorldNames;

/** The everyday assortment. Beans are listed twice, because they are bought more often. */
export const assortment: readonly Product[] = [...beans, ...beans, ...gear];

/** Where a creator publishes: what their links carry, and which site visitors come from. Null: an app that sends no referrer. */
export type Placement = { readonly subId: string | null; readonly host: string | null; readonly to: Product | null };

export type StoryCreator = {
  readonly name: string;
  readonly channel: string;
  readonly audience: Audience;
  /** Visits on an average day of the year. */
  readonly pull: number;
  /** The part of the history after which the creator joined. */
  readonly joinedAfter: number;
  readonly discountCode: string | null;
  /** The first one uses the creator's main link; each other product has its own link. */
  readonly placements: readonly [Placement, ...Placement[]];
};
type Audience = (typeof audiences)[number];

const audiences = ['Under 1,000', '1,000 to 10,000', '10,000 to 100,000', 'More than 100,000'] as const;
export const questions = [
  { label: 'Link to your main channel', type: 'url', required: true, choices: [] },
  { label: 'How many people follow you there?', type: 'choice', required: true, choices: [...audiences] },
] as const;

/** The answers to the questions of the program. */
export const answersOf = ({ channel, audience }: Pick<StoryCreator, 'channel' | 'audience'>) => [
  { question: questions[0].label, answer: channel },
  { question: questions[1].label, answer: audience },
];

const youtube = 'www.youtube.com';
const instagram = 'l.instagram.com';

/** The first one signs in to the creator portal. */
export const creators: readonly [StoryCreator, ...StoryCreator[]] = [
  {
    name: storyNames.creator,
    channel: 'https://www.youtube.com/@clara-reyes-brews',
    audience: '10,000 to 100,000',
    pull: 44,
    joinedAfter: 0,
    discountCode: 'CLARA10',
    placements: [
      { subId: 'channel-page', host: youtube, to: null },
      { subId: 'grinder-review', host: youtube, to: handGrinder },
      { subId: 'newsletter', host: null, to: houseBlend },
    ],
  },
  {
    name: 'Ben Okoro',
    channel: 'https://www.youtube.com/@ben-okoro-roasts',
    audience: 'More than 100,000',
    pull: 52,
    joinedAfter: 0.02,
    discountCode: 'BEN10',
    placements: [
      { subId: 'video-description', host: youtube, to: null },
      { subId: 'pour-over-course', host: 'substack.com', to: pourOverSet },
    ],
  },
  {
    name: 'Emi Tanaka',
    channel: 'https://www.instagram.com/emi.drinks.coffee',
    audience: '10,000 to 100,000',
    pull: 24,
    joinedAfter: 0.05,
    discountCode: null,
    placements: [
      { subId: 'bio', host: instagram, to: null },
      { subId: 'stories', host: null, to: giftBox },
    ],
  },
  {
    name: 'Farid Noor',
    channel: 'https://www.pinterest.com/farid-noor-home-barista',
    audience: '1,000 to 10,000',
    pull: 17,
    joinedAfter: 0.1,
    discountCode: null,
    placements: [{ subId: 'buying-guide', host: 'www.pinterest.com', to: null }],
  },
  {
    name: 'Greta Holm',
    channel: 'https://podcasts.apple.com/us/podcast/slow-mornings-with-greta-holm',
    audience: '1,000 to 10,000',
    pull: 12,
    joinedAfter: 0.25,
    discountCode: 'SLOW10',
    placements: [{ subId: 'show-notes', host: null, to: null }],
  },
  {
    name: 'Dario Conti',
    channel: 'https://www.tiktok.com/@dario.espresso',
    audience: '10,000 to 100,000',
    pull: 9,
    joinedAfter: 0.4,
    discountCode: null,
    placements: [{ subId: 'bio', host: 'www.tiktok.com', to: null }],
  },
  {
    name: 'Ines Carvalho',
    channel: 'https://substack.com/@ines-carvalho-cafes',
    audience: '1,000 to 10,000',
    pull: 5,
    joinedAfter: 0.55,
    discountCode: null,
    placements: [{ subId: null, host: 'substack.com', to: null }],
  },
  {
    name: 'Tom Whitfield',
    channel: 'https://www.instagram.com/tom.pours',
    audience: 'Under 1,000',
    pull: 2,
    joinedAfter: 0.7,
    discountCode: null,
    placements: [{ subId: null, host: instagram, to: null }],
  },
];

/** Creators who earn by rates of their own: a group whose audiences listen and read, and the creator with the most followers. */
export const groupStory = {
  name: 'Podcasts and newsletters',
  members: ['Greta Holm', 'Ines Carvalho'],
  groupBasisPoints: 1_300,
  groupNewBasisPoints: 1_600,
  negotiated: 'Ben Okoro',
  negotiatedBasisPoints: 1_500,
} as const;

/** What the merchant adds by hand, on a day of the history. The last bonus is still to be reviewed at its end. */
export const bonusStory = [
  {
    creator: 'Farid Noor',
    amountCents: 4_000,
    reason: 'Photos of the pour-over set for our catalog',
    day: (days: number) => Math.ceil(days * 0.3),
  },
  { creator: 'Emi Tanaka', amountCents: 7_500, reason: 'Live brewing session on Instagram', day: (days: number) => Math.ceil(days * 0.65) },
  { creator: 'Clara Reyes', amountCents: 1_500, reason: 'An order whose link was lost in our newsletter', day: (days: number) => days - 2 },
] as const;

/** Creators who applied in the last days and wait for a decision. */
export const applicants = [
  { name: 'Priya Raman', channel: 'https://www.instagram.com/priya.and.chai', audience: '10,000 to 100,000' },
  { name: 'Lukas Berger', channel: 'https://substack.com/@lukas-berger-espresso', audience: 'Under 1,000' },
] as const;

/** What the public page of the program shows beside its terms. */
export const programPage: ProgramPage = {
  description: [
    'Harbor Coffee roasts in small batches in Portland, Maine, and ships within two days.',
    'We work with people who **brew at home and explain how**: videos, podcasts, newsletters, and photos.',
    'What you get:',
    ['- a link to any of our products', '- a discount code for your audience', '- samples of each new coffee before it is on sale'].join(
      '\n',
    ),
  ].join('\n\n'),
  accentColor: '#9a3412',
  faq: [
    {
      question: 'When do I get paid?',
      answer: 'On the 1st and 15th of each month, after the 30 days for returns and our own payment.',
    },
    {
      question: 'May I use your photos?',
      answer: 'Yes. You find texts and pictures under **Assets** after you join.',
    },
    {
      question: 'What do you not allow?',
      answer: 'Ads on our brand name, and coupon sites. Employees cannot earn on their own orders.',
    },
  ],
  isListed: true,
};

/** Texts that creators copy. */
export const textAssets = [
  {
    name: 'Caption for a brew video',
    text: 'Today’s cup: Huila single origin by Harbor Coffee, 15 g to 250 g of water, ready in three minutes. Link in bio.',
  },
  {
    name: 'About Harbor Coffee',
    text: 'Harbor Coffee is a roastery in Portland, Maine. It buys from 14 farms, roasts in small batches, and ships within two days.',
  },
] as const;

export const brandGuide = {
  title: 'Brand guide for partners',
  store: storyNames.store,
  facts: [
    ['Name', 'Harbor Coffee, in two words'],
    ['Color', programPage.accentColor],
    ['Contact', storyNames.merchant],
  ],
  sentences: [
    'Say that a link or a code earns you a commission, in the post itself and before the link.',
    'Show the coffee as it is. Do not promise an effect on health, and do not change the colors of the bags.',
    'Prices change. Say “from” with a price, or leave it out.',
    'Use the logo in one color, with a free margin of half its width on each side.',
  ],
} as const;

/** People of the store beside its owner. */
export const team = [
  { name: 'Theo Marchetti', mailbox: 'theo.marchetti', role: 'marketer' },
  { name: 'Hannah Osei', mailbox: 'hannah.osei', role: 'finance' },
] as const;

export const onLeaderboard = ['Clara Reyes', 'Ben Okoro', 'Emi Tanaka', 'Farid Noor'] as const;

export const announcement = {
  subject: 'Holiday gift boxes are here',
  body: [
    'The **gift box** is back: two coffees, a mug, and a card, for 52 USD.',
    'Orders placed by December 14 arrive before the holidays. If you mention a date, please use this one.',
    'Thank you for a great year!',
    'Maya',
  ].join('\n\n'),
} as const;

export const refundReasons = ['returned', 'damaged in transit', 'canceled by customer'] as const;
export const partialRefundReasons = ['one of several returned', 'damaged in transit', 'price adjusted'] as const;
export const rejectionReasons = ['Self-referral', 'Coupon site', 'Employee order'] as const;

export const disputeText =
  'I do not post coupon codes anywhere. This order came from the link in my grinder review, and my sub-ID shows it. Please look again.';

const sunday = 0;
const thursday = 4;

/** How busy a day is; 1 is an average weekday. */
export function seasonOf(day: Date): number {
  const weekend = [0, 6].includes(day.getUTCDay()) ? 1.25 : 1;
  return weekend * holidayOf(day);
}

/** The sales days of a coffee store in the United States. */
function holidayOf(day: Date): number {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  const daysFrom = (other: Date): number => Math.round((day.getTime() - other.getTime()) / dayMs);
  const afterThanksgiving = daysFrom(nthWeekday(year, 11, { weekday: thursday, nth: 4 }));
  if (afterThanksgiving >= 1 && afterThanksgiving <= 4) return 2.4;
  const beforeMothersDay = -daysFrom(nthWeekday(year, 5, { weekday: sunday, nth: 2 }));
  const beforeFathersDay = -daysFrom(nthWeekday(year, 6, { weekday: sunday, nth: 3 }));
  if ([beforeMothersDay, beforeFathersDay].some((before) => before >= 3 && before <= 9)) return 1.4;
  if (month === 12 && date <= 18) return 1.6;
  if ((month === 12 && date >= 23) || (month === 1 && date <= 10)) return 0.7;
  if (month === 11) return 1.15;
  return month === 7 || month === 8 ? 0.85 : 1;
}

type NthWeekday = { readonly weekday: number; readonly nth: number };

function nthWeekday(year: number, month: number, { weekday, nth }: NthWeekday): Date {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return new Date(Date.UTC(year, month - 1, 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7));
}
