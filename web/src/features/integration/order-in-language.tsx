import { CodeBlock } from '../../ui/code.tsx';
import type { SnippetValues } from './snippets/snippet-values.ts';
import type { LanguageName } from './snippets/snippet-values.ts';
import { languages } from './snippets/languages.ts';
import { t } from './messages.ts';

type OrderInLanguageProps = { readonly name: LanguageName; readonly values: SnippetValues; readonly now: Date };

/** Loads when someone picks a language other than curl: the programs are long, and most people read only one. */
export function OrderInLanguage({ name, values, now }: OrderInLanguageProps) {
  const language = languages.find((one) => one.name === name);
  return language && <CodeBlock value={language.snippet(values, now)} label={t.order_in_language.the_paid_order_in({ name })} />;
}
