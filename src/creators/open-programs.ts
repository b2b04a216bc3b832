import type { ProgramStatus } from '../merchants/decide-publish.ts';
import { statusOf, type Store } from '../merchants/stores-sql.ts';

/** Creators can join a program, and its links earn, while it is published and its store is active. */
export const isOpenToCreators = (program: { readonly status: ProgramStatus; readonly store: Store }): boolean =>
  program.status === 'published' && statusOf(program.store) === 'active';
