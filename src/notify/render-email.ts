import { escapeHtml } from '../http/html.ts';
import { renderMarkdown } from './safe-markdown.ts';
import { formatMessage, type EmailMessage } from '../messages/format-message.ts';
import type { Language } from '../../locales/languages.ts';

/** The content of an email, before it is rendered in the language of its recipient. */
export type EmailContent = {
  readonly subject: EmailMessage;
  readonly paragraphs: readonly EmailMessage[];
  /** The words of a merchant, in the Markdown of safe-markdown.ts, below the paragraphs. */
  readonly message?: string;
  readonly button: { readonly label: EmailMessage; readonly url: string } | null;
  readonly footnotes: readonly EmailMessage[];
};

export type EmailBody = {
  readonly text: string;
  readonly html: string;
  /** For the header of mail clients, if the recipient can unsubscribe. */
  readonly unsubscribeUrl?: string;
};

type FormattedEmail = {
  readonly language: Language;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly message: string | null;
  readonly button: { readonly label: string; readonly url: string } | null;
  readonly footnotes: readonly string[];
};

/** Both versions say the same. The full URL follows the button, for people who do not click buttons in emails. */
export function renderEmail(content: EmailContent, language: Language): EmailBody & { readonly subject: string } {
  const format = (message: EmailMessage) => formatMessage(language, message);
  const { subject, paragraphs, message = null, button, footnotes } = content;
  const formatted: FormattedEmail = {
    language,
    subject: withoutHostNames(format(subject)),
    paragraphs: paragraphs.map((paragraph) => withoutHostNames(format(paragraph))),
    message,
    button: button && { label: format(button.label), url: button.url },
    footnotes: footnotes.map(format),
  };
  return { subject: formatted.subject, text: renderText(formatted), html: renderHtml(formatted) };
}

/** The page that the button opens. */
export function pathOfButton({ button }: Pick<EmailContent, 'button'>): string | null {
  if (button === null) return null;
  const { pathname, search } = new URL(button.url);
  return `${pathname}${search}`;
}

/** Dashboards do not link host names, so that the text needs no word joiners. */
export const firstParagraphOf = ({ text }: Pick<EmailBody, 'text'>): string => (text.split('\n\n')[0] ?? '').replaceAll(wordJoiner, '');

const signature = 'Tributary';

function renderText({ paragraphs, message, button, footnotes }: FormattedEmail): string {
  const parts = [
    ...paragraphs,
    ...(message === null ? [] : [message]),
    ...(button === null ? [] : [`${button.label}:\n${button.url}`]),
    ...footnotes,
    signature,
  ];
  return `${parts.join('\n\n')}\n`;
}

const pageStyle = 'margin:0;padding:32px 16px;background:#f7f9f9;font:16px/1.5 system-ui,sans-serif;color:#1c2529';
const sheetStyle = 'max-width:520px;margin:0 auto;padding:20px 32px;background:#fff;border-radius:8px';
const buttonStyle =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#0d6475;color:#fff;font-weight:600;text-decoration:none';
const smallStyle = 'font-size:14px;color:#556269';

/** Emails contain names that strangers chose, so every text is escaped. */
function renderHtml({ language, subject, paragraphs, message, button, footnotes }: FormattedEmail): string {
  const toParagraph = (text: string, style = '') => `<p${style === '' ? '' : ` style="${style}"`}>${escapeHtml(text)}</p>`;
  const messages = message === null ? [] : [renderMarkdown(message)];
  const buttons = button === null ? [] : [buttonHtml(button.label, button.url)];
  const body = [
    ...paragraphs.map((text) => toParagraph(text)),
    ...messages,
    ...buttons,
    ...footnotes.map((text) => toParagraph(text, smallStyle)),
  ];
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="${pageStyle}"><div style="${sheetStyle}">`,
    ...body,
    toParagraph(signature, smallStyle),
    '</div></body></html>',
  ].join('\n');
}

function buttonHtml(label: string, url: string): string {
  const address = escapeHtml(url);
  return [
    `<p><a style="${buttonStyle}" href="${address}">${escapeHtml(label)}</a></p>`,
    `<p style="${smallStyle};word-break:break-all">${address}</p>`,
  ].join('\n');
}

/**
 * Emails contain names of people, stores, programs and creators, which strangers choose. Mail clients turn every host name into a
 * link, and some characters reverse the text or begin a new line. A word joiner before each dot is invisible and prevents the link.
 */
export function withoutHostNames(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/:\/\//g, `:${wordJoiner}//`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, `${wordJoiner}.`);
}

const wordJoiner = '\u2060';
