/**
 * Neutralizes untrusted text in a CSV cell, so that no spreadsheet evaluates it. A spreadsheet splits cells at its own list
 * separator, and quotes protect only where that separator is ours: with `;`, the cell `x;=1+1` of a comma-separated file becomes
 * two, and the second is a formula (https://owasp.org/www-community/attacks/CSV_Injection). So every position where a cell could
 * begin counts, not only the first character. An apostrophe is put before each formula character at such a position, and before
 * apostrophes that are already there, so that `originalCell` can restore the text.
 */
const separators = new Set(',;|\t\r\n');
const formulaCharacters = new Set('=+-@＝＋－＠');
const apostrophe = "'";

/** What a spreadsheet ignores before the first character: spaces, invisible characters, quotes. */
const isSkipped = (character: string): boolean =>
  character <= ' ' || character === '"' || (character >= '\u007f' && /[\s\p{Cc}\p{Cf}]/u.test(character));

export const neutralizeCell = (text: string): string =>
  rewritten(text, (apostrophes, character) => `${apostrophe}${apostrophes}${character}`);

/** Restores the text that `neutralizeCell` was given. */
export const originalCell = (text: string): string => rewritten(text, (apostrophes, character) => apostrophes.slice(1) + character);

/**
 * Reads each character once, from left to right. `change` gets the apostrophes at a position where a cell could begin and the
 * formula character after them. At the very beginning a tab or a line break counts as a formula character too, because some
 * spreadsheets drop it and evaluate what follows.
 */
function rewritten(text: string, change: (apostrophes: string, character: string) => string): string {
  let written = '';
  let apostrophes = '';
  let canBegin = true;
  let isFirst = true;
  for (const character of text) {
    const isBreak = isFirst && (character === '\t' || character === '\r' || character === '\n');
    if (character === apostrophe && canBegin) {
      apostrophes += character;
      continue;
    }
    const isFormula = canBegin && formulaCharacters.has(character);
    written += isBreak || isFormula ? change(apostrophes, character) : apostrophes + character;
    canBegin = separators.has(character) || (canBegin && apostrophes === '' && isSkipped(character));
    apostrophes = '';
    isFirst = false;
  }
  return written + apostrophes;
}
