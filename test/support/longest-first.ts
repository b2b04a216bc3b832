import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** More than half a minute each on two cores, the longest first. One that is missing here costs time, and nothing else. */
const longest = [
  'test/web/dashboard-pages',
  'test/histories/histories',
  'test/load/overload',
  'test/scenario/a-year-of-invoices',
  'test/processes/restart',
  'test/web/dashboard-review',
  'test/scenario/the-money-of-an-order',
  'test/race/kills',
  'test/operating/upgrade',
  'test/billing/deaths',
  'test/web/dashboard-billing',
  'test/web/dashboard-webhooks',
  'test/operating/commands',
  'test/race/billing',
  'test/billing/dunning',
  'test/docs/served',
  'test/web/dashboard-size',
  'src/platform/database/embedded',
  'test/load/slow-clients',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place === -1 ? longest.length : place;
};

/** What takes long begins first, so that at the end nobody waits for one file. Vitest knows how long each takes only after a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
