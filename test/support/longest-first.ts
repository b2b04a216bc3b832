import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than half a minute on two cores, longest first. A missing entry only costs time. */
const longest = [
  'test/processes/stop',
  'test/operations/image',
  'test/operations/backup',
  'test/scenario/history',
  'test/processes/restart',
  'test/tracking/follow',
  'test/web/dashboard-pages',
  'test/scenario/clock-moves',
  'test/api/hostile-requests',
  'test/load/overload',
  'test/load/slow-clients',
  'src/embedded-postgres/start',
  'test/web/dashboard-bulk',
  'test/web/dashboard-review',
  'test/scenario/the-money-of-an-order',
  'test/operations/commands',
  'test/model/model',
  'test/api/isolation',
  'test/risk/fraud-cases',
  'test/web/dashboard-creator',
  'test/operations/privacy',
  'test/billing/invoices-api',
  'test/web/dashboard-journey',
  'test/demo/start',
  'test/race/payouts',
  'test/web/dashboard-webhooks',
  'test/web/dashboard-billing',
  'test/billing/crashes',
  'test/payouts/crashes',
  'test/docs/followed',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? longest.length : place;
};

/** Starts long files first, so that the run does not end with one slow file. Vitest knows durations only after a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
