const { bootstrap, ProductService, ProductVariantService, RequestContextService } = require('@vendure/core');
const { populateInitialData } = require('@vendure/core/cli');
const { config } = require('./vendure-config.js');

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Americas',
  taxRates: [{ name: 'Standard Tax', percentage: 8 }],
  shippingMethods: [{ name: 'Standard', price: 1000 }],
  paymentMethods: [{ name: 'Test payment', handler: { code: 'test-payment', arguments: [] } }],
  countries: [{ name: 'United States', code: 'US', zone: 'Americas' }],
  collections: [],
};

/** The shop of the test: tax, shipping, a way to pay, and two products. */
async function seed() {
  const app = await bootstrap(config);
  await populateInitialData(app, initialData);
  const ctx = await app.get(RequestContextService).create({ apiType: 'admin' });
  const variants = {};
  for (const [sku, name, price] of [
    ['apron', 'Apron', 4800],
    ['mug', 'Mug', 1250],
  ]) {
    const translations = [{ languageCode: 'en', name, slug: sku, description: '' }];
    const product = await app.get(ProductService).create(ctx, { enabled: true, translations });
    const [variant] = await app
      .get(ProductVariantService)
      .create(ctx, [
        { productId: product.id, sku, price, stockOnHand: 100, trackInventory: 'FALSE', translations: [{ languageCode: 'en', name }] },
      ]);
    variants[sku] = String(variant.id);
  }
  console.log(`SEEDED ${JSON.stringify(variants)}`);
  await app.close();
  process.exit(0);
}

seed().catch((error) => {
  console.error(error);
  process.exit(1);
});
