import type { Program } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';

export type ProgramSettings = Pick<Program, 'attribution_days' | 'hold_days' | 'approval' | 'auto_approve_days'>;

export const programsPath = (store: string) => apiPath('/stores/{store}/programs', { store });
export const programPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}', { store, program });

export const groupsPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}/groups', { store, program });

export const programsQuery = (store: string) => apiListQuery(programsPath(store));
export const programQuery = (store: string, program: string) => apiQuery(programPath(store, program));
export const termsPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}/terms', { store, program });
export const termsQuery = (store: string, program: string) => apiListQuery(termsPath(store, program));
