/** A number and its noun, such as "1 order" or "2,000 orders". */
export const formatCount = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : more}`;
