import { client } from './client';

export type Report = {
  readonly operation: string;
  readonly status: 'waiting' | 'accepted' | 'refused';
  readonly reason: string | null;
  readonly message: string | null;
  readonly failures: number;
};
export type OrderState = {
  readonly reports: readonly Report[];
  readonly problem: string | null;
  readonly commission: {
    readonly id: string;
    readonly state: string;
    readonly creator_name: string;
    readonly credited_code: string | null;
    readonly amount_cents: number;
    readonly explanation: string;
  } | null;
};
export type Health = {
  readonly problem: string | null;
  readonly url: string | null;
  readonly store: { readonly id: string; readonly name: string } | null;
  readonly checks: ReadonlyArray<{ readonly check: string; readonly passed: boolean; readonly evidence: string }>;
  readonly queue: {
    readonly waiting: number;
    readonly refused: number;
    readonly accepted: number;
    readonly open: ReadonlyArray<Report & { readonly order_id: string }>;
  };
};
export type PromotionState = {
  readonly code: { readonly creator_name: string; readonly status: string; readonly orders: number } | null;
  readonly creators: ReadonlyArray<{
    readonly creator_id: string;
    readonly creator_name: string;
    readonly program_id: string;
    readonly program_name: string;
  }>;
};
export type Synced = { readonly linked: number; readonly created: number; readonly changed: number };

const base = '/admin/tributary';

export const readHealth = (): Promise<Health> => client.client.fetch(base);
export const readOrder = (id: string): Promise<OrderState> => client.client.fetch(`${base}/orders/${id}`);
export const readPromotion = (id: string): Promise<PromotionState> => client.client.fetch(`${base}/promotions/${id}`);
export const runTestOrder = (): Promise<{ readonly reason: string }> => client.client.fetch(`${base}/test-order`, { method: 'POST' });
export const retryReports = (): Promise<{ readonly due: number }> => client.client.fetch(`${base}/retry`, { method: 'POST' });
export const syncCodes = (): Promise<Synced> => client.client.fetch(`${base}/codes`, { method: 'POST' });
export const giveToCreator = (id: string, owner: { readonly creator_id: string; readonly program_id: string }): Promise<unknown> =>
  client.client.fetch(`${base}/promotions/${id}`, { method: 'POST', body: owner });
