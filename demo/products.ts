export type Product = { readonly id: string; readonly name: string; readonly cents: number; readonly says: string };

export const products: readonly Product[] = [
  { id: 'mug', name: 'River mug', cents: 1_850, says: 'Stoneware, glazed by hand. Holds a third of a litre.' },
  { id: 'kettle', name: 'Copper kettle', cents: 12_900, says: 'Boils in four minutes and whistles in tune.' },
  { id: 'tea', name: 'Tea of the season', cents: 990, says: 'A hundred grams, picked this spring.' },
];

/** The product of a subscription; the terms of the program name the same IDs. */
export const plan = {
  productId: 'tea-club',
  priceId: 'monthly',
  name: 'Tea club',
  cents: 2_400,
  says: 'A parcel of tea each month.',
} as const;

export const dollars = (cents: number): string => `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
