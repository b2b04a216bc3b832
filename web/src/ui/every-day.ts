const dayMs = 86_400_000;

type Range<Totals> = { readonly from: string; readonly to: string; readonly days: ReadonlyArray<Totals & { readonly day: string }> };

/** Every day of the range: the service leaves out days without events, and a chart must not. */
export function everyDay<Totals>({ from, to, days }: Range<Totals>, zero: Totals): ReadonlyArray<Totals & { readonly day: string }> {
  const known = new Map(days.map((day) => [day.day, day]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const day = new Date(first + index * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...zero };
  });
}
