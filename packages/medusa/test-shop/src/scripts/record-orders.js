const { ContainerRegistrationKeys } = require('@medusajs/framework/utils');
const { orderFields } = require('@tributary/medusa/reports/order-fields');

/** Prints the orders as the plugin reads them, for test/packages/medusa-orders.json. */
exports.default = async function record({ container }) {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({ entity: 'order', fields: orderFields });
  console.log(`RECORDED ${JSON.stringify(data)}`);
};
