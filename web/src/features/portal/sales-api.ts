import type { Sale, SalePayment } from '../../../../sdk/src/api-schema.ts';
import { localizeTimes } from '../../ui/localize-times.ts';
import { apiPath } from '../../api/operations.ts';

export type PaymentStep = SalePayment['steps'][number];

export const salePath = (creator: string, sale: string) =>
  apiPath('/creators/{creator}/commissions/{commission}', { creator, commission: sale });

/** A bonus has no order, so its reason names it. */
export const saleName = ({ order_id: order, invoice_id: invoice, lead_id: lead, bonus, id }: Sale): string =>
  order ?? invoice ?? lead ?? (bonus === null ? id : localizeTimes(bonus.reason));
