const { DefaultJobQueuePlugin, DefaultLogger, LanguageCode, LogLevel, PaymentMethodHandler } = require('@vendure/core');
const { DashboardPlugin } = require('@vendure/dashboard/plugin');
const { join } = require('node:path');

const { DATABASE_HOST, DATABASE_PORT, DATABASE_NAME, DATABASE_USER, DATABASE_PASSWORD, MIGRATIONS, PLUGIN, PORT } = process.env;
const { TRIBUTARY_URL: url, TRIBUTARY_API_KEY: apiKey } = process.env;

/** Authorizes payments, which an administrator settles. A refund is settled immediately, or by an administrator. */
const testPayment = new PaymentMethodHandler({
  code: 'test-payment',
  description: [{ languageCode: LanguageCode.en, value: 'Test payment' }],
  args: {},
  createPayment: (ctx, order, amount) => ({ amount, state: 'Authorized', transactionId: order.code }),
  settlePayment: () => ({ success: true }),
  createRefund: (ctx, { reason }) => reason !== 'by hand' && { state: 'Settled', transactionId: 'refund' },
});

/** The plugin is left out after its removal. */
const pluginOf = () => {
  const { TributaryPlugin } = require('@tributary/vendure');
  return TributaryPlugin.init({ url, apiKey, codeDiscount: { type: 'percentage', value: 10 } });
};

exports.config = {
  apiOptions: { hostname: '127.0.0.1', port: Number(PORT), cors: { origin: true, credentials: true } },
  authOptions: {
    tokenMethod: ['bearer', 'cookie'],
    superadminCredentials: { identifier: 'admin', password: 'only-for-the-test-shop' },
    cookieOptions: { secret: 'only for the test shop' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: DATABASE_HOST,
    port: Number(DATABASE_PORT),
    database: DATABASE_NAME,
    username: DATABASE_USER,
    password: DATABASE_PASSWORD,
    synchronize: false,
    migrations: [join(MIGRATIONS ?? '', '*.js')],
  },
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: true }),
  paymentOptions: { paymentMethodHandlers: [testPayment] },
  plugins: [
    DefaultJobQueuePlugin.init({}),
    DashboardPlugin.init({ route: 'dashboard', appDir: join(__dirname, 'built-dashboard') }),
    ...(PLUGIN === 'none' ? [] : [pluginOf()]),
  ],
};
