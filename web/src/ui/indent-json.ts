/**
 * Indents JSON without changing it otherwise: numbers and escapes stay as they were sent, because people search for what they sent.
 * Text that is not JSON is returned unchanged.
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
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === '}' || token === ']') depth -= 1;
    if ((token === '}' || token === ']') && !opens(tokens[index - 1])) written += newLine(depth);
    written += token;
    if (opens(token)) depth += 1;
    if (token === ',' || (opens(token) && next !== '}' && next !== ']')) written += newLine(depth);
    if (token === ':') written += ' ';
  });
  return written;
}

const opens = (token: string | undefined): boolean => token === '{' || token === '[';
const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`;
