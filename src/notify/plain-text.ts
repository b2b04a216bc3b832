/**
 * Names of people, stores, programs and creators stand in mails, and strangers choose them. Mail programs turn every host name into a
 * link, and some characters turn text around or begin a new line. A word joiner before each dot looks the same and is no host name.
 */
export function withoutLinks(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/:\/\//g, `:${wordJoiner}//`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})/gu, `${wordJoiner}.`);
}

const wordJoiner = '\u2060';
