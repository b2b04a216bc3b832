/**
 * The files of `npm run test:full`. `npm test` covers the service in five minutes: each rule, each operation, each guarantee to stores,
 * creators, and operators. A test is here if it repeats a case that `npm test` covers, if it measures time and needs the machine for
 * itself, or if it covers what is around the service and takes ten seconds or more.
 */

/** Tests that `npm test` does not run. */
export const onlyInFullRun: readonly string[] = [
  // Runs the decision tables again in four time zones.
  'test/load/time-zones.test.ts',
  // Measure times under load: `npm test` runs several files at once, so their limits only find what hangs.
  'test/load/overload.test.ts',
  'test/load/slow-clients.test.ts',
  'test/load/hostile-inputs.test.ts',
  // Processes: start, stop, restart, kill, and several of them. `npm test` starts and stops the service in hundreds of files.
  'src/embedded-postgres/start.test.ts',
  'test/postbacks/connections.test.ts',
  'test/postbacks/database-unavailable.test.ts',
  'test/clicks/503.test.ts',
  'test/processes/failover.test.ts',
  'test/processes/jobs-and-the-database.test.ts',
  'test/processes/restart.test.ts',
  'test/processes/several.test.ts',
  'test/processes/stop.test.ts',
  'test/sdk/folder-lock.test.ts',
  // Tools: installation, upgrade, backup, commands, the demo.
  'test/cli/exits.test.ts',
  'test/demo/start.test.ts',
  'test/demo/story.test.ts',
  'test/docs/platforms.test.ts',
  'test/operations/backup.test.ts',
  'test/operations/build-server.test.ts',
  'test/operations/commands.test.ts',
  'test/operations/dev.test.ts',
  'test/operations/image.test.ts',
  'test/operations/upgrade.test.ts',
  // Races and long stories. The rules that they confirm have tests of their own in `npm test`.
  'test/adversarial/random-walks.test.ts',
  'test/api/hostile-requests.test.ts',
  'test/postbacks/hostile.test.ts',
  'test/race/billing.test.ts',
  'test/race/kills.test.ts',
  'test/race/leads.test.ts',
  'test/race/orders.test.ts',
  'test/race/process-kills.test.ts',
  'test/race/payouts.test.ts',
  'test/race/recurring.test.ts',
  'test/race/refunds.test.ts',
  'test/scenario/a-year-of-invoices.test.ts',
  'test/scenario/clock-moves.test.ts',
  'test/scenario/history.test.ts',
  'test/tracking/follow.test.ts',
  // Pages. `npm test` drives the journeys of a merchant, a creator, and an operator.
  'test/web/dashboard-accuracy.test.ts',
  'test/web/dashboard-bulk.test.ts',
  'test/web/dashboard-creator-import.test.ts',
  'test/web/dashboard-keyboard.test.ts',
  'test/web/dashboard-languages.test.ts',
  'test/web/dashboard-navigation.test.ts',
  'test/web/dashboard-operator-tasks.test.ts',
  'test/web/dashboard-pages.test.ts',
  'test/web/dashboard-person.test.ts',
  'test/web/dashboard-roles.test.ts',
  'test/web/dashboard-second-factor.test.ts',
  'test/web/dashboard-self-service.test.ts',
  'test/web/dashboard-webhooks.test.ts',
  'test/web/list-options.test.ts',
];

/** Tests that `npm test` runs with fewer cases (test/support/size.ts). */
export const largerInFullRun: readonly string[] = [
  'test/api/hostile-parameters.test.ts',
  'test/api/isolation.test.ts',
  'test/billing/crashes.test.ts',
  'test/docs/served.test.ts',
  'test/model/model.test.ts',
  'test/payments/stripe-events.test.ts',
  'test/payouts/crashes.test.ts',
  'test/risk/colluders.test.ts',
  'test/web/dashboard-review.test.ts',
  'test/web/dashboard-size.test.ts',
  'test/web/dashboard-tracking.test.ts',
  'test/web/docs-page.test.ts',
];
