import { escapeHtml } from '../http/html.ts';

/**
 * Renders a small part of Markdown as HTML: paragraphs, line breaks, lists with `-`, **bold**, *italic*, and links to web pages. The text
 * is escaped before anything is replaced, so that no HTML of its author reaches the reader. The host of each link is shown beside its text,
 * so that the text cannot pretend to lead elsewhere.
 */
export const renderMarkdown = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(renderBlock)
    .join('\n');

function renderBlock(block: string): string {
  const lines = block.split('\n');
  if (lines.every((line) => line.startsWith('- ')))
    return `<ul>${lines.map((line) => `<li>${renderInline(line.slice(2))}</li>`).join('')}</ul>`;
  return `<p>${lines.map(renderInline).join('<br>')}</p>`;
}

const link = /\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()]{1,500})\)/g;

/** Replaces links first, so that characters of an address are not taken for emphasis. */
function renderInline(line: string): string {
  let html = '';
  let from = 0;
  for (const match of line.matchAll(link)) {
    const [whole, label = '', address = ''] = match;
    html += renderEmphasis(line.slice(from, match.index)) + renderLink(label, address);
    from = match.index + whole.length;
  }
  return html + renderEmphasis(line.slice(from));
}

function renderLink(label: string, address: string): string {
  const url = URL.parse(address);
  if (url === null) return renderEmphasis(`${label} (${address})`);
  return `<a href="${escapeHtml(url.href)}">${renderEmphasis(label)}</a> (${escapeHtml(url.host)})`;
}

const renderEmphasis = (text: string): string =>
  escapeHtml(text)
    .replace(/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*\s](?:[^*]*[^*\s])?)\*/g, '<em>$1</em>');
