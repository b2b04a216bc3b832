import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { lineField, namedObject } from '../http/fields.ts';

export const questionsMax = 5;
const labelLengthMax = 200;
const choicesMax = 20;
const choiceLengthMax = 100;

/** What a program asks creators who apply. `url` is the address of a profile or website. */
export const questionTypes = ['text', 'long_text', 'url', 'choice'] as const;

export const questionJson = namedObject('ApplicationQuestion', {
  label: lineField(labelLengthMax),
  type: T.Enum(questionTypes, { description: '`url`: the URL of a profile or website; `choice`: one of `choices`' }),
  required: T.Boolean(),
  choices: T.Array(lineField(choiceLengthMax), { maxItems: choicesMax, description: 'Empty unless the type is `choice`' }),
});
export type ApplicationQuestion = Static<typeof questionJson>;

/** An answer with its question as it was asked, because the merchant can change the questions later. */
export const answerJson = namedObject('ApplicationAnswer', { question: T.String(), answer: T.String() });
export type ApplicationAnswer = Static<typeof answerJson>;
