import { curlSnippet } from './curl.ts';
import type { SnippetValues } from './snippet-values.ts';
import { goSnippet } from './go.ts';
import type { LanguageName } from './snippet-values.ts';
import { nodeSnippet } from './node.ts';
import { phpSnippet } from './php.ts';
import { pythonSnippet } from './python.ts';
import { rubySnippet } from './ruby.ts';

export type Language = { readonly name: LanguageName; readonly snippet: (values: SnippetValues, now: Date) => string };

/** Complete programs that report one test order. */
export const languages = [
  { name: 'curl', snippet: curlSnippet },
  { name: 'Node', snippet: nodeSnippet },
  { name: 'Python', snippet: pythonSnippet },
  { name: 'PHP', snippet: phpSnippet },
  { name: 'Ruby', snippet: rubySnippet },
  { name: 'Go', snippet: goSnippet },
] as const satisfies readonly Language[];
