/**
 * An array as PostgreSQL reads it: `{1,2,NULL,"a \"word\""}`. The driver's own way takes two regular expressions an element and
 * puts a time together from its local parts, for each of the thousands of values of a batch.
 */
export function arrayText(elements: readonly unknown[]): string {
  let text = '{';
  for (let place = 0; place < elements.length; place++) text += (place === 0 ? '' : ',') + elementText(elements[place]);
  return `${text}}`;
}

function elementText(element: unknown): string {
  if (element === null || element === undefined) return 'NULL';
  if (typeof element === 'string') return quoted(element);
  if (typeof element === 'bigint' || typeof element === 'number' || typeof element === 'boolean') return String(element);
  if (element instanceof Date) return `"${element.toISOString()}"`;
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`;
  throw new TypeError('an array for the database holds texts, numbers, truths, times, bytes and nulls');
}

const plain = /^[\w-]+$/;
const special = /["\\]/g;

/** Most are ids: nothing in them has to be hidden from the reader of the array. `NULL` as a word would be read as none. */
function quoted(text: string): string {
  if (plain.test(text) && text.length !== 'NULL'.length) return text;
  return `"${text.replaceAll(special, String.raw`\$&`)}"`;
}
