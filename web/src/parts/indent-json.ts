/**
 * JSON with a line for each member, and otherwise exactly as it was written: every number and every escape stays, because what
 * was sent is what one looks for. Text that is no JSON comes back unchanged.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let written = '';
  tokens.forEach((token, place) => {
    const next = tokens[place + 1];
    if (token === '}' || token === ']') depth -= 1;
    if ((token === '}' || token === ']') && !opens(tokens[place - 1])) written += newLine(depth);
    written += token;
    if (opens(token)) depth += 1;
    if (token === ',' || (opens(token) && next !== '}' && next !== ']')) written += newLine(depth);
    if (token === ':') written += ' ';
  });
  return written;
}

const opens = (token: string | undefined): boolean => token === '{' || token === '[';
const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`;
