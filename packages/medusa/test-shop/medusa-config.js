const { defineConfig } = require('@medusajs/framework/utils');

const { DATABASE_URL, TRIBUTARY_URL, TRIBUTARY_API_KEY } = process.env;
const options = { url: TRIBUTARY_URL, apiKey: TRIBUTARY_API_KEY, codeDiscount: { type: 'percentage', value: 10 } };

/** The storefront of the test. */
const local = '/127\\.0\\.0\\.1/';

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: {
      storeCors: local,
      adminCors: local,
      authCors: local,
      jwtSecret: 'only for the test shop',
      cookieSecret: 'only for the test shop',
    },
    // Without it the dashboard would need https.
    cookieOptions: { secure: false, sameSite: 'lax' },
  },
  admin: { backendUrl: '/' },
  plugins: [{ resolve: '@tributary/medusa', options }],
});
