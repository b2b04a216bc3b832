import { api } from '@vendure/dashboard';

export type Report = {
  readonly orderCode: string;
  readonly operation: string;
  readonly status: string;
  readonly message: string | null;
};
type Health = {
  readonly problem: string | null;
  readonly url: string | null;
  readonly storeName: string | null;
  readonly checks: ReadonlyArray<{ readonly check: string; readonly passed: boolean; readonly evidence: string | null }>;
  readonly waiting: number;
  readonly refused: number;
  readonly accepted: number;
  readonly open: readonly Report[];
};
type OrderState = {
  readonly problem: string | null;
  readonly reports: readonly Report[];
  readonly commission: {
    readonly creatorName: string | null;
    readonly amountCents: number;
    readonly state: string;
    readonly creditedCode: string | null;
    readonly explanation: string | null;
  } | null;
};
type Synced = { readonly linked: number; readonly created: number; readonly changed: number };

export async function readHealth(): Promise<Health> {
  const { tributary } = await api.query<{ readonly tributary: Health }>(`query {
    tributary {
      problem url storeName waiting refused accepted
      checks { check passed evidence }
      open { orderCode operation status message }
    }
  }`);
  return tributary;
}

export async function readOrder(orderId: string): Promise<OrderState> {
  const { tributaryOrder } = await api.query<{ readonly tributaryOrder: OrderState }>(
    `query ($orderId: ID!) {
      tributaryOrder(orderId: $orderId) {
        problem
        reports { orderCode operation status message }
        commission { creatorName amountCents state creditedCode explanation }
      }
    }`,
    { orderId },
  );
  return tributaryOrder;
}

export async function runTestOrder(): Promise<string> {
  const { runTributaryTestOrder } = await api.query<{ readonly runTributaryTestOrder: string }>('mutation { runTributaryTestOrder }');
  return runTributaryTestOrder;
}

export async function checkCodes(): Promise<Synced> {
  const document = 'mutation { checkTributaryCodes { linked created changed } }';
  return (await api.query<{ readonly checkTributaryCodes: Synced }>(document)).checkTributaryCodes;
}

export async function sendReports(): Promise<number> {
  return (await api.query<{ readonly sendTributaryReports: number }>('mutation { sendTributaryReports }')).sendTributaryReports;
}
