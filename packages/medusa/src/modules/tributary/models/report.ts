import { model } from '@medusajs/framework/utils';

/** A report that is sent or waits to be sent, under the ID that the queue gives it. */
export const TributaryReport = model
  .define('tributary_report', {
    id: model.text().primaryKey(),
    number: model.autoincrement(),
    order_id: model.text(),
    /** Waiting reports of one lane are sent in the order of their numbers. */
    lane: model.text().nullable(),
    operation: model.text(),
    body: model.text(),
    status: model.enum(['waiting', 'accepted', 'refused']).default('waiting'),
    due_at: model.dateTime(),
    failures: model.number().default(0),
    /** Of the last response. */
    reason: model.text().nullable(),
    message: model.text().nullable(),
    request_id: model.text().nullable(),
  })
  .indexes([
    { on: ['order_id'] },
    { on: ['lane', 'number'], where: "status = 'waiting'" },
    { on: ['due_at'], where: "status = 'waiting'" },
  ]);
