import { languageNames, languages, type Language } from '../../locales/languages.ts';
import { createFormats } from '../../locales/message-formats.ts';
import { publicId } from '../core/ids.ts';
import { html, trusted, type Html } from '../http/html.ts';
import type { Terms } from '../merchants/terms.ts';
import { pageTexts } from '../messages/format-message.ts';
import { renderMarkdown } from '../notify/safe-markdown.ts';
import type { ProgramRecord } from '../portal/program-record.ts';
import { earningsExamples, type EarningsExample } from './earnings-example.ts';
import type { PublicProgram } from './load-program.ts';
import { conditionTexts, rateTexts } from './terms-texts.ts';

export type PageFacts = {
  readonly shown: PublicProgram;
  readonly record: ProgramRecord;
  readonly language: Language;
  readonly baseUrl: string;
  readonly style: string;
  readonly now: Date;
};

export function renderProgramPage(facts: PageFacts): string {
  const { shown, language, style } = facts;
  const { program, store, terms, nextTerms, page } = shown;
  const text = pageTexts(language);
  const examples = earningsExamples(shown, facts.now);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        ${headOf(facts)} ${styleElement(style)}
      </head>
      <body>
        <main>
          <header><div class="column">${headerOf(facts)}</div></header>
          <div class="column">
            ${page.description.trim() === '' ? [] : section(text('program_page.about'), trusted(renderMarkdown(page.description)))}
            ${section(text('public_program.commission_terms'), termsOf(terms, facts))}
            ${
              nextTerms === null
                ? []
                : section(text('program_page.terms_from', { date: nextTerms.effectiveFrom }), termsOf(nextTerms, facts))
            }
            ${examples.length === 0 ? [] : section(text('program_page.earnings_example'), examplesOf(examples, language))}
            ${recordOf(facts)}
            ${
              page.faq.length === 0
                ? []
                : section(
                    text('program_page.questions'),
                    ...page.faq.map(
                      ({ question, answer }) =>
                        html`<h3>${question}</h3>
                          ${trusted(renderMarkdown(answer))}`,
                    ),
                  )
            }
            ${section(text('public_program.apply'), ...applyOf(facts))}
          </div>
        </main>
        <footer class="column">
          <p>${text('program_page.footer', { store: store.name })}</p>
          ${languageLinks(program.programId, language)}
        </footer>
      </body>
    </html>`.html;
}

/** Exactly the text whose hash the content security policy permits. */
const styleElement = (style: string): Html => trusted(`<style>${style}</style>`);

const section = (title: string, ...content: readonly Html[]): Html =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;

const list = (items: readonly string[]): Html =>
  html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;

/** The tags that search engines and link previews read. The description is plain text without the signs of Markdown. */
function headOf({ shown, language, baseUrl }: PageFacts): Html {
  const { program, store, page, terms } = shown;
  const title = `${program.name} · ${store.name}`;
  const text = pageTexts(language);
  const summary =
    shorten(plainText(page.description)) ||
    shorten(text('program_page.summary', { store: store.name, rates: rateTexts(terms, language).join('; ') }));
  const url = `${baseUrl}/p/${publicId('prog', program.programId)}`;
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    ${isIndexed(shown) ? [] : html`<meta name="robots" content="noindex" />`}
    <title>${title}</title>
    <link rel="canonical" href="${url}" />
    <meta name="description" content="${summary}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${summary}" />
    <meta property="og:url" content="${url}" />
    <meta property="og:image" content="${url}/preview.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${title}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** Paused programs are not listed, because creators cannot join them. */
export const isIndexed = ({ page, isOpen }: PublicProgram): boolean => page.isListed && isOpen;

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^[\]\n]*)\]\([^\s()]*\)/g, '$1')
    .replaceAll('*', '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const summaryLengthMax = 200;

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= summaryLengthMax ? text : `${characters.slice(0, summaryLengthMax - 1).join('')}…`;
}

function headerOf({ shown, language }: PageFacts): Html {
  const { program, store, logoHash, isOpen } = shown;
  const text = pageTexts(language);
  const id = publicId('prog', program.programId);
  const logo = logoHash === null ? [] : html`<img src="/p/${id}/logo/${logoHash}" alt="${store.name}" />`;
  const apply = isOpen ? html`<a class="button" href="/programs/${id}">${text('program_page.apply_button')}</a>` : [];
  const site = html`<a href="${store.siteUrl}" rel="noopener noreferrer">${new URL(store.siteUrl).host}</a>`;
  return html`${logo}
    <h1>${program.name}</h1>
    <p>${text('program_page.by', { store: store.name })} · ${site}</p>
    ${apply}`;
}

const termsOf = (terms: Terms, { shown, language }: PageFacts): Html =>
  list([...rateTexts(terms, language), ...conditionTexts(terms, shown.store.name, language)]);

function examplesOf(examples: readonly EarningsExample[], language: Language): Html {
  const text = pageTexts(language);
  const { money } = createFormats(language, 'UTC');
  const rows = examples.map(
    (example) =>
      html`<tr>
        <th scope="row">${saleText(example, language)}</th>
        <td>${money(example.commission)}</td>
      </tr>`,
  );
  return html`<p>${text('program_page.example_intro')}</p>
    <table>
      <thead>
        <tr>
          <th scope="col">${text('program_page.sale')}</th>
          <th scope="col">${text('program_page.you_earn')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

function saleText({ sale, product, amount }: EarningsExample, language: Language): string {
  const text = pageTexts(language);
  if (sale === 'order')
    return product === null ? text('program_page.order_of', { amount }) : text('program_page.product_order_of', { amount, product });
  return product === null ? text('program_page.invoice_of', { amount }) : text('program_page.product_invoice_of', { amount, product });
}

const hoursPerDay = 24;

/** How the store has reviewed sales so far, if it has reviewed enough of them. */
function recordOf({ record, language }: PageFacts): Html | [] {
  const { decided, medianApprovalHours: hours, refusedBasisPoints: refused } = record;
  if (refused === null) return [];
  const text = pageTexts(language);
  const wait =
    hours === null
      ? text('public_program.none_approved')
      : hours < 1
        ? text('public_program.under_an_hour')
        : hours < 2 * hoursPerDay
          ? text('public_program.hours', { hours })
          : text('public_program.days', { days: Math.round(hours / hoursPerDay) });
  const rejected = createFormats(language, 'UTC').percent(refused);
  return section(
    text('public_program.approval_history'),
    html`<p>${text('public_program.based_on_the_latest_500')}</p>`,
    list([
      `${text('public_program.median_approval_time')}: ${wait}`,
      `${text('public_program.rejected')}: ${rejected} ${text('public_program.of_sales', { decided })}`,
    ]),
  );
}

function applyOf({ shown, language }: PageFacts): readonly Html[] {
  const { program, store, isOpen } = shown;
  const text = pageTexts(language);
  if (!isOpen) return [html`<p>${text('public_program.this_program_isnt_accepting_applic')}</p>`];
  const labels = program.questions.map(({ label, required }) => (required ? label : text('program_page.optional', { question: label })));
  return [
    html`<p>
      ${text('public_program.you_need_a_free_creator')}
      ${text('public_program.reviews_your_application_and_sees', { storeName: store.name })}
    </p>`,
    ...(labels.length === 0 ? [] : [html`<h3>${text('program_page.application_asks')}</h3>`, list(labels)]),
    html`<p><a class="button" href="/programs/${publicId('prog', program.programId)}">${text('program_page.apply_button')}</a></p>`,
  ];
}

function languageLinks(programId: PublicProgram['program']['programId'], current: Language): Html {
  const links = languages.map((language) => {
    const mark = language === current ? trusted(' aria-current="true"') : '';
    const href = `/p/${publicId('prog', programId)}?lang=${language}`;
    return html`<li><a href="${href}" lang="${language}" hreflang="${language}" ${mark}>${languageNames[language]}</a></li>`;
  });
  return html`<nav aria-label="${pageTexts(current)('language_select.language')}">
    <ul>
      ${links}
    </ul>
  </nav>`;
}

export function renderNotFoundPage(language: Language, style: string): string {
  const text = pageTexts(language);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${text('program_page.not_found')}</title>
        ${styleElement(style)}
      </head>
      <body>
        <main class="column">
          <h1>${text('program_page.not_found')}</h1>
          <p>${text('program_page.not_found_text')}</p>
        </main>
      </body>
    </html>`.html;
}
