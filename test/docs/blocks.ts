import { globSync, readFileSync } from 'node:fs';
import { lexer, walkTokens } from 'marked';

/** A block of code of a page, as a reader copies it. */
export type Block = {
  readonly page: string;
  /** The heading above the block. */
  readonly section: string;
  readonly language: string;
  /** The file name after the language, if other blocks import this one. */
  readonly file: string;
  readonly text: string;
};

/** Every page that people read, but the records of decisions: those say what was found once. */
export const allPages = (): readonly string[] =>
  [...globSync('*.md'), ...globSync('docs/*.md'), 'sdk/README.md', 'docs/decisions/README.md'].sort();

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let section = '';
  void walkTokens(lexer(readFileSync(page, 'utf8')), (token) => {
    if (token.type === 'heading') section = String(token['text']);
    if (token.type !== 'code') return;
    const [language = '', file = ''] = String(token['lang'] ?? '').split(' ');
    blocks.push({ page, section, language, file, text: String(token['text']) });
  });
  return blocks;
}
