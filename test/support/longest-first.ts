import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than half a minute on two cores, longest first. A missing entry only costs time. */
const longest = [
  'test/web/dashboard-pages',
  'test/model/model',
  'test/load/overload',
  'test/scenario/a-year-of-invoices',
  'test/processes/restart',
  'test/web/dashboard-review',
  'test/scenario/the-money-of-an-order',
  'test/race/kills',
  'test/operations/upgrade',
  'test/billing/crashes',
  'test/web/dashboard-billing',
  'test/web/dashboard-webhooks',
  'test/operations/commands',
  'test/race/billing',
  'test/billing/dunning',
  'test/docs/served',
  'test/web/dashboard-size',
  'src/embedded-postgres/start',
  'test/load/slow-clients',
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
