import { reportsTo, type Postback, type Reports, type Unsendable } from '../../sdk/src/reports.ts';
import { resultOf, type Result } from '../../sdk/src/send.ts';
import type { OwnReport } from '../contract/postback-endpoint.ts';
import type { Reply } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';

/** How reports are recorded: as the postbacks of the store. */
export type AnswerReport = (report: OwnReport<Integration>) => Promise<Reply>;

type Sender = { readonly integration: Integration; readonly requestId: string };

/** The reports of the merchant's package, recorded by this service without HTTP. The request ID names their cause in the tracking log. */
export function directReports(answer: AnswerReport, sender: Sender): Reports<Result> {
  const send = async (report: Postback | Unsendable): Promise<Result> => {
    if (!('body' in report)) return { ...report, ok: false, outcome: 'not_sent', retry: 'no', status: null, requestId: null, attempts: 0 };
    const { status, headers, body } = await answer({ ...report, ...sender });
    const isReplay = headers['idempotent-replayed'] === 'true';
    return resultOf(report, { is: 'answer', status, json: body, requestId: sender.requestId, retryAfterMs: null, isReplay }, 1);
  };
  return reportsTo(send, { isTimed: false });
}
