import type { ReactNode } from 'react';

/**
 * Shows the part of Markdown that emails of stores use: paragraphs, lists with `-`, **bold**, *italic*, and links to web pages. Builds
 * elements, never HTML, so that no text of a merchant runs as code. The host of each link is shown beside its text, so that the text
 * cannot pretend to lead elsewhere.
 */
export function MarkdownText({ text }: { readonly text: string }) {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
  return blocks.map((block, at) => <Block key={at} lines={block.split('\n')} />);
}

function Block({ lines }: { readonly lines: readonly string[] }) {
  if (lines.every((line) => line.startsWith('- ')))
    return (
      <ul>
        {lines.map((line, at) => (
          <li key={at}>{renderInline(line.slice(2))}</li>
        ))}
      </ul>
    );
  return (
    <p>
      {lines.map((line, at) => (
        <span key={at}>
          {at > 0 && <br />}
          {renderInline(line)}
        </span>
      ))}
    </p>
  );
}

const link = /\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()]{1,500})\)/g;

/** Replaces links first, so that characters of an address are not taken for emphasis. */
function renderInline(line: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of line.matchAll(link)) {
    const [whole, label = '', address = ''] = match;
    parts.push(...renderEmphasis(line.slice(from, match.index), from));
    parts.push(<WebLink key={`link ${match.index}`} label={label} address={address} />);
    from = match.index + whole.length;
  }
  return [...parts, ...renderEmphasis(line.slice(from), from)];
}

function WebLink({ label, address }: { readonly label: string; readonly address: string }) {
  const url = URL.parse(address);
  if (url === null) return `${label} (${address})`;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer">
        {renderEmphasis(label, 0)}
      </a>{' '}
      ({url.host})
    </>
  );
}

const emphasis = /\*\*([^*\s](?:[^*]*[^*\s])?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*/g;

function renderEmphasis(text: string, offset: number): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(emphasis)) {
    const [whole, bold, italic] = match;
    parts.push(text.slice(from, match.index));
    const key = `${offset} ${match.index}`;
    parts.push(bold === undefined ? <em key={key}>{italic}</em> : <strong key={key}>{bold}</strong>);
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)];
}
