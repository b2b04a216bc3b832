/** A calendar month in UTC, by the time of posting. */
export type Period = { readonly name: string; readonly from: Date; readonly to: Date };

export const periodShape = '^2[0-9]{3}-(0[1-9]|1[0-2])$';

export function parsePeriod(name: string): Period {
  const [year = 0, month = 1] = name.split('-').map(Number);
  return { name, from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 1)) };
}
