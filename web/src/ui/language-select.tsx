import { SelectInput } from './inputs.tsx';
import { isLanguage, languageNames, languages, type Language } from '../../../locales/languages.ts';
import { language as current } from '../messages/messages.ts';
import { t } from './messages.ts';

export const languageOptions = languages.map((value) => ({ value, label: languageNames[value] }));

/** The language of the page. The caller stores the choice and loads the page again. */
export const LanguageSelect = ({ onChoose }: { readonly onChoose: (language: Language) => void }) => (
  <SelectInput
    size="xs"
    aria-label={t.language_select.language}
    data={languageOptions}
    defaultValue={current}
    onChange={({ currentTarget: { value } }) => isLanguage(value) && onChoose(value)}
    style={{ width: 'fit-content' }}
  />
);
