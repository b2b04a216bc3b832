import { Code } from '../parts/code.tsx';
import type { SnippetFacts } from './snippets/facts.ts';
import type { LanguageName } from './snippets/language-names.ts';
import { languages } from './snippets/languages.ts';

type OrderInLanguageProps = { readonly name: LanguageName; readonly facts: SnippetFacts; readonly now: Date };

/** Loaded when somebody picks a language other than curl: the programs are long, and most people read one of them. */
export function OrderInLanguage({ name, facts, now }: OrderInLanguageProps) {
  const language = languages.find((one) => one.name === name);
  return language && <Code value={language.snippet(facts, now)} label={`the paid order in ${name}`} />;
}
