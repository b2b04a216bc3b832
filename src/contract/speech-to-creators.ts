import { defaultLanguage, type Language } from '../../locales/languages.ts';
import { createFormats } from '../../locales/message-formats.ts';
import { explanationTexts } from '../messages/format-message.ts';
import { englishToCreators, joinSentences, type Speech } from './speech.ts';

const speeches = new Map<Language, Speech>([[defaultLanguage, englishToCreators]]);

/** How explanations are written for a creator who reads this language. */
export function speechToCreators(language: Language): Speech {
  const speech = speeches.get(language) ?? translatedSpeech(language);
  speeches.set(language, speech);
  return speech;
}

function translatedSpeech(language: Language): Speech {
  const { day, moment, money, percent } = createFormats(language, 'UTC');
  const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  // Japanese writes no spaces between sentences, and has its own comma and parentheses.
  const isJapanese = language === 'ja';
  return {
    reader: 'creator',
    say: explanationTexts(language),
    day,
    time: moment,
    month: (name) => months.format(new Date(`${name}-01T00:00:00.000Z`)),
    money,
    percent,
    list: (items) => items.join(isJapanese ? '、' : ', '),
    inParentheses: (text) => (isJapanese ? `（${text}）` : ` (${text})`),
    paragraph: joinSentences(isJapanese ? '' : ' '),
  };
}
