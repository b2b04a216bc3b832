import { Type as T } from 'typebox';
import { publicId } from '../platform/ids.ts';
import type { DecidedStretch } from './review.ts';

const count = T.Integer();

/** How many ended how, of a decision on many. */
export const wordCountsJson = T.Object({
  ok: count,
  not_found: count,
  held: count,
  not_held: count,
  rejected: count,
  reversed: count,
  billed: count,
  conflict: count,
});

export const showStretch = ({ first, last }: DecidedStretch) => ({ first: publicId('dec', first), last: publicId('dec', last) });
