import { expect, test } from 'vitest';
import { questionErrors } from './application-questions.ts';

const text = { label: 'Why?', type: 'text', required: true, choices: [] } as const;
const choice = { label: 'Channel', type: 'choice', required: false, choices: ['Blog', 'Video'] } as const;
const asWritten = (question: typeof text | typeof choice) => ({ ...question, choices: [...question.choices] });

test.each([
  [[], []],
  [[asWritten(text), asWritten(choice)], []],
  [[asWritten(text), asWritten(text)], ['questions.1.label']],
  [[{ ...asWritten(choice), choices: ['Blog'] }], ['questions.0.choices']],
  [[{ ...asWritten(choice), choices: ['Blog', 'Blog'] }], ['questions.0.choices']],
  [[{ ...asWritten(text), choices: ['A', 'B'] }], ['questions.0.choices']],
])('the questions %o have errors in %o', (questions, fields) => {
  expect(questionErrors(questions).map(({ field }) => field)).toEqual(fields);
});
