import type { ExecArgs } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { deletePromotionsWorkflow } from '@medusajs/medusa/core-flows';
import { messageOf } from '@tributary/node/plugin-connection';
import { clickField, codeField } from '../reports/order-reports.ts';
import { tributaryOf } from '../modules/tributary/resolve.ts';
import { createdField } from '../workflows/sync-codes.ts';

/**
 * Removes what the plugin wrote outside its own tables: the postback key at the service, the promotions that it created, and the fields that
 * it added to carts, orders, and promotions, and the history of its jobs. `medusa db:rollback tributary` then drops its tables.
 */
export default async function remove({ container }: ExecArgs): Promise<void> {
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  const tributary = tributaryOf(container);
  await tributary.queue.stop();
  const waiting = await tributary.sql(`select id from tributary_report where status = 'waiting'`, []);
  if (waiting.length > 0) logger.warn(`Tributary: ${waiting.length} reports were not sent, and are dropped with the tables.`);
  await tributary.connection.disconnect().catch((error: unknown) => {
    logger.warn(`Tributary: revoke the postback key in the dashboard, because this failed: ${messageOf(error)}`);
  });
  const promotions = await tributary.sql(`select id from promotion where jsonb_exists(metadata, ?) and deleted_at is null`, [createdField]);
  const ids = promotions.map(({ id }) => String(id));
  if (ids.length > 0) {
    await deletePromotionsWorkflow(container).run({ input: { ids } });
    await container.resolve(Modules.PROMOTION).deletePromotions(ids);
  }
  for (const [table, field] of [
    ['cart', clickField],
    ['"order"', clickField],
    ['promotion', codeField],
  ] as const)
    await tributary.sql(`update ${table} set metadata = metadata - ?::text where jsonb_exists(metadata, ?)`, [field, field]);
  await tributary.sql(`delete from workflow_execution where workflow_id like ?`, ['%tributary%']);
  logger.info('Tributary: removed. Now run `npx medusa db:rollback tributary`, and remove the plugin from medusa-config and package.json.');
}
