const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils');
const workflows = require('@medusajs/medusa/core-flows');

/** The shop of the test: a region with US dollars, tax, shipping, two products, an administrator, and a key for the storefront. */
exports.default = async function seed({ container }) {
  const run = async (name, input) => (await workflows[name](container).run({ input })).result;
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  const [store] = await container.resolve(Modules.STORE).listStores();
  const [channel] = await container.resolve(Modules.SALES_CHANNEL).listSalesChannels();
  await run('updateStoresWorkflow', {
    selector: { id: store.id },
    update: { supported_currencies: [{ currency_code: 'usd', is_default: true }], default_sales_channel_id: channel.id },
  });
  const [region] = await run('createRegionsWorkflow', {
    regions: [{ name: 'US', currency_code: 'usd', countries: ['us'], payment_providers: ['pp_system_default'] }],
  });
  await run('createTaxRegionsWorkflow', [
    { country_code: 'us', provider_id: 'tp_system', default_tax_rate: { rate: 8, code: 'us', name: 'Tax' } },
  ]);
  const [location] = await run('createStockLocationsWorkflow', {
    locations: [{ name: 'Shelf', address: { country_code: 'us', address_1: '1 Main St' } }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' },
  });
  const [profile] = await run('createShippingProfilesWorkflow', { data: [{ name: 'Default', type: 'default' }] });
  const set = await container.resolve(Modules.FULFILLMENT).createFulfillmentSets({
    name: 'Delivery',
    type: 'shipping',
    service_zones: [{ name: 'US', geo_zones: [{ country_code: 'us', type: 'country' }] }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  });
  await run('createShippingOptionsWorkflow', [
    {
      name: 'Standard',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Standard', description: 'Ships soon.', code: 'standard' },
      prices: [{ currency_code: 'usd', amount: 10 }],
    },
  ]);
  await run('linkSalesChannelsToStockLocationWorkflow', { id: location.id, add: [channel.id] });
  const product = (title, sku, amount) => ({
    title,
    status: 'published',
    shipping_profile_id: profile.id,
    options: [{ title: 'Size', values: ['One'] }],
    variants: [{ title: 'One', sku, manage_inventory: false, options: { Size: 'One' }, prices: [{ currency_code: 'usd', amount }] }],
    sales_channels: [{ id: channel.id }],
  });
  await run('createProductsWorkflow', { products: [product('Apron', 'apron', 48), product('Mug', 'mug', 12.5)] });
  const [key] = await run('createApiKeysWorkflow', { api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }] });
  await run('linkSalesChannelsToApiKeyWorkflow', { id: key.id, add: [channel.id] });
  console.log(`SEEDED ${JSON.stringify({ publishableKey: key.token, region: region.id })}`);
};
