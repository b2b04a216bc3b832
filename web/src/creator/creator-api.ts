import { reading } from '../parts/reading.ts';

export type Creator = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'suspended';
  readonly payout_method: {
    readonly provider: string;
    readonly sandbox: string | null;
    readonly since: string;
    readonly usable_from: string;
  } | null;
  readonly created_at: string;
};

export const creatorReading = (creator: string) => reading<Creator>(`/creators/${creator}`);
