import { escaped } from '../platform/http/html.ts';
import { withoutLinks } from './plain-text.ts';

/** What a mail says, before it is text or HTML: some sentences, at most one thing to press, and what else to know. */
export type Letter = {
  readonly subject: string;
  readonly sentences: readonly string[];
  readonly button: { readonly label: string; readonly url: string } | null;
  readonly afterwards: readonly string[];
};

export type MailBody = { readonly text: string; readonly html: string };

/** Both forms say the same. The address stands in full beside the button, for whoever does not press buttons in mails. */
export function writtenOut({ subject, sentences, ...rest }: Letter): MailBody {
  const letter = { subject: withoutLinks(subject), sentences: sentences.map(withoutLinks), ...rest };
  return { text: asText(letter), html: asHtml(letter) };
}

const signature = 'Tributary';

function asText({ sentences, button, afterwards }: Letter): string {
  const parts = [...sentences, ...(button === null ? [] : [`${button.label}:\n${button.url}`]), ...afterwards, signature];
  return `${parts.join('\n\n')}\n`;
}

const pageStyle = 'margin:0;padding:32px 16px;background:#f7f9f9;font:16px/1.5 system-ui,sans-serif;color:#1c2529';
const sheetStyle = 'max-width:520px;margin:0 auto;padding:20px 32px;background:#fff;border-radius:8px';
const buttonStyle =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#0d6475;color:#fff;font-weight:600;text-decoration:none';
const smallStyle = 'font-size:14px;color:#556269';

/** Names in a mail are written by strangers, so every text is escaped. */
function asHtml({ subject, sentences, button, afterwards }: Letter): string {
  const paragraph = (text: string, style = '') => `<p${style === '' ? '' : ` style="${style}"`}>${escaped(text)}</p>`;
  const pressed = button === null ? [] : [buttonHtml(button.label, button.url)];
  const body = [...sentences.map((text) => paragraph(text)), ...pressed, ...afterwards.map((text) => paragraph(text, smallStyle))];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(subject)}</title></head>`,
    `<body style="${pageStyle}"><div style="${sheetStyle}">`,
    ...body,
    paragraph(signature, smallStyle),
    '</div></body></html>',
  ].join('\n');
}

function buttonHtml(label: string, url: string): string {
  const address = escaped(url);
  return [
    `<p><a style="${buttonStyle}" href="${address}">${escaped(label)}</a></p>`,
    `<p style="${smallStyle};word-break:break-all">${address}</p>`,
  ].join('\n');
}
