import type { ProgramStatus } from '../merchants/decide-publish.ts';
import { statusOf, type Store } from '../merchants/stores-sql.ts';

/** A program takes creators, and their links earn, while it is published and its store is in good order. */
export const openToCreators = (program: { readonly status: ProgramStatus; readonly store: Store }): boolean =>
  program.status === 'published' && statusOf(program.store) === 'active';
