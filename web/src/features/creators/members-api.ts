import { apiListQuery } from '../../ui/queries.ts';
import { programPath } from '../programs/programs-api.ts';

export type Member = {
  readonly id: string;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly status: 'applied' | 'approved' | 'paused' | 'removed';
  readonly since: string;
  readonly left_at: string | null;
};

export type Link = {
  readonly code: string;
  readonly url: string;
  readonly creator_id: string;
  readonly destination_url: string | null;
  readonly created_at: string;
};

export const membersPath = (store: string, program: string) => `${programPath(store, program)}/members`;
export const linksPath = (store: string, program: string) => `${programPath(store, program)}/links`;
export const memberList = (store: string, program: string) => apiListQuery<Member>(`${membersPath(store, program)}?limit=200`);
export const linkList = (store: string, program: string) => apiListQuery<Link>(linksPath(store, program));
