/**
 * The files of `npm run test:full`. A test is here if it is slow because it repeats a case that `npm test` covers, or because it measures
 * time and needs the machine for itself.
 */

/** Tests that `npm test` does not run. */
export const onlyInFullRun: readonly string[] = [
  // Runs the decision tables again in four time zones.
  'test/load/time-zones.test.ts',
  // Measure times under load: `npm test` runs several files at once, so their limits only find what hangs.
  'test/load/overload.test.ts',
  'test/load/slow-clients.test.ts',
  'test/load/hostile-inputs.test.ts',
];

/** Tests that `npm test` runs with fewer cases (test/support/size.ts). */
export const largerInFullRun: readonly string[] = [
  'test/api/hostile-parameters.test.ts',
  'test/api/hostile-requests.test.ts',
  'test/api/isolation.test.ts',
  'test/billing/crashes.test.ts',
  'test/demo/start.test.ts',
  'test/docs/served.test.ts',
  'test/model/model.test.ts',
  'test/operations/upgrade.test.ts',
  'test/payments/stripe-events.test.ts',
  'test/payouts/crashes.test.ts',
  'test/processes/stop.test.ts',
  'test/race/kills.test.ts',
  'test/race/orders.test.ts',
  'test/race/process-kills.test.ts',
  'test/risk/colluders.test.ts',
  'test/scenario/clock-moves.test.ts',
  'test/web/dashboard-pages.test.ts',
  'test/web/dashboard-review.test.ts',
  'test/web/dashboard-size.test.ts',
  'test/web/dashboard-tracking.test.ts',
  'test/web/dashboard-webhooks.test.ts',
  'test/web/docs-page.test.ts',
];
