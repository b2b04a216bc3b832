#!/usr/bin/env node
import { bootstrapWorker, Order, PromotionService, type VendureConfig } from '@vendure/core';
import { messageOf } from '@tributary/node/plugin-connection';
import { resolve } from 'node:path';
import { argv, stdout } from 'node:process';
import { clickField } from './load-order.ts';
import { TributaryPlugin } from './plugin.ts';
import { Tributary } from './tributary.ts';

type Loaded = { readonly config?: VendureConfig; readonly default?: { readonly config?: VendureConfig } };

const say = (line: string): void => void stdout.write(`${line}\n`);

/**
 * Removes what the plugin stored: the postback key at the service, the promotions that it created, the click of each order, and its tables.
 * Its argument is the compiled file that exports the configuration of Vendure as `config`.
 */
async function remove(file: string): Promise<void> {
  const loaded: Loaded = await import(resolve(file));
  const config = loaded.config ?? loaded.default?.config;
  if (config === undefined) throw new Error(`${file} exports no config.`);
  TributaryPlugin.isRemoving = true;
  const worker = await bootstrapWorker(config);
  const tributary = worker.app.get(Tributary, { strict: false });
  await removeFrom(tributary, worker.app.get(PromotionService, { strict: false }));
  await worker.app.close();
}

async function removeFrom(tributary: Tributary, promotions: PromotionService): Promise<void> {
  const { connection, database, sql } = tributary;
  const waiting = await sql(`select id from tributary_report where status = 'waiting'`, []);
  if (waiting.length > 0) say(`${waiting.length} reports were not sent, and are dropped with the tables.`);
  await connection.disconnect().catch((error: unknown) => {
    say(`Revoke the postback key in the dashboard, because this failed: ${messageOf(error)}`);
  });
  const ctx = await tributary.context();
  for (const { promotion_id: id } of await sql('select promotion_id from tributary_code where is_created', []))
    await promotions.softDeletePromotion(ctx, String(id));
  const { tablePath, columns } = database.rawConnection.getMetadata(Order);
  const column = columns.find(({ propertyPath }) => propertyPath === `customFields.${clickField}`);
  const table = tablePath
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  if (column !== undefined) await sql(`alter table ${table} drop column if exists "${column.databaseName}"`, []);
  for (const name of ['tributary_report', 'tributary_code', 'tributary_connection']) await sql(`drop table if exists ${name}`, []);
  say('Removed. Now remove the plugin from the configuration of Vendure and from package.json.');
}

const [, , file] = argv;
if (file === undefined) {
  say('Usage: tributary-vendure-remove <compiled file of the configuration, such as dist/vendure-config.js>');
  process.exitCode = 2;
} else {
  remove(file).catch((error: unknown) => {
    say(messageOf(error));
    process.exitCode = 1;
  });
}
