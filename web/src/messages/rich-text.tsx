import { cloneElement, type ReactElement, type ReactNode } from 'react';

/**
 * Replaces the tags of a message by elements: `rich('See <link>why</link> on <day/>.', { link: <TextLink to="/why" />, day: <Time … /> })`.
 * The text of a tag becomes the element's content.
 */
export function rich(message: string, elements: Readonly<Record<string, ReactElement>>): ReactNode {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const match of message.matchAll(/<([a-z_\d]+)(?:\/>|>(.*?)<\/\1>)/gs)) {
    const [tag, name = '', text] = match;
    const element = elements[name];
    if (element === undefined) continue;
    const key = { key: match.index };
    nodes.push(message.slice(end, match.index), text === undefined ? cloneElement(element, key) : cloneElement(element, key, text));
    end = match.index + tag.length;
  }
  return [...nodes, message.slice(end)];
}
