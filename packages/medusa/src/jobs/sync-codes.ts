import type { MedusaContainer } from '@medusajs/framework/types';
import { tributaryOf } from '../modules/tributary/resolve.ts';
import { syncCodes } from '../workflows/sync-codes.ts';

export default async function job(container: MedusaContainer): Promise<void> {
  if (tributaryOf(container).connection.problem() === null) await syncCodes(container);
}

export const config = { name: 'tributary-sync-codes', schedule: '*/15 * * * *' };
