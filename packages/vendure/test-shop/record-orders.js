const { bootstrapWorker, Order } = require('@vendure/core');
const { loadOrder } = require('@tributary/vendure/dist/load-order.js');
const { TributaryPlugin } = require('@tributary/vendure');
const { Tributary } = require('@tributary/vendure/dist/tributary.js');
const { config } = require('./vendure-config.js');

/** Prints the orders as the plugin reads them, for test/packages/vendure-orders.json. */
async function record() {
  TributaryPlugin.isRemoving = true;
  const { app } = await bootstrapWorker(config);
  const tributary = app.get(Tributary, { strict: false });
  const ctx = await tributary.context();
  const orders = await tributary.database.rawConnection.getRepository(Order).find({ select: { id: true } });
  const loaded = [];
  for (const { id } of orders) loaded.push(await loadOrder(tributary, ctx, id));
  console.log(`RECORDED ${JSON.stringify(loaded)}`);
  await app.close();
}

record().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
