/** Which version of the terms applies to a creator, implemented independently from decision 0127 for the model of test/model/model.ts. */
import { day, inForce, type Books, type Explained, type Version } from './model-books.ts';
import type { Owner } from './terms.ts';

/** A version with the documented reason, if it is not the one in force for all. */
export type Applied = Version & { readonly chosen?: Explained };

type Earner = { readonly owner: Owner; readonly at: number; readonly clickedAt?: number | null };

/** The version in force for a creator, or a former one that a click keeps. */
export function termsFor(books: Books, { owner, at, clickedAt = null }: Earner): Applied {
  const accepted = (number: number) => books.acceptances.find((one) => one.owner === owner && one.version === number)?.at;
  const begins = (version: Version): number | null => {
    const acceptedAt = accepted(version.number);
    if (version.canceledAt !== null && (acceptedAt === undefined || at >= version.canceledAt)) return null;
    return Math.min(acceptedAt ?? version.from, version.from);
  };
  const own = books.versions.flatMap((version) => {
    const start = begins(version);
    return start === null ? [] : [{ version, start }];
  });
  const begun = own.filter(({ start }) => start <= at).toSorted((one, other) => one.start - other.start);
  const last = begun.pop();
  if (last === undefined) return inForce(books, at);
  const why = (because: string, { version, time, changed }: { version: Version; time: number; changed: Version }): Explained => ({
    because,
    version: version.number,
    at: new Date(time).toISOString(),
    changed_version: changed.number,
    changed_from: new Date(changed.from).toISOString(),
  });

  let [present, chosen] = [last, undefined as Explained | undefined];
  const isKept = () => {
    const { version, start } = present;
    const days = version.protect_click_days;
    return (
      clickedAt !== null && days !== undefined && accepted(version.number) === undefined && clickedAt < start && at < start + days * day
    );
  };
  while (isKept()) {
    const { version: changed, start } = present;
    const former = begun.findLast((one) => one.start < start);
    if (former === undefined || clickedAt === null) break;
    present = former;
    chosen = why('click_before_change', { version: former.version, time: clickedAt, changed });
  }
  const { version } = present;
  const time = accepted(version.number);
  if (chosen === undefined && time !== undefined && at < version.from) chosen = why('accepted', { version, time, changed: version });
  return chosen === undefined ? version : { ...version, chosen };
}
