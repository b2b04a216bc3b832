import { expect, test } from 'vitest';
import { decideAnswers } from './decide-answers.ts';

const questions = [
  { label: 'Why us?', type: 'long_text', required: true, choices: [] },
  { label: 'Profile', type: 'url', required: false, choices: [] },
  { label: 'Channel', type: 'choice', required: false, choices: ['Blog', 'Video'] },
  { label: 'City', type: 'text', required: false, choices: [] },
] as const;
const mutableQuestions = questions.map((question) => ({ ...question, choices: [...question.choices] }));
const answers = (...pairs: ReadonlyArray<readonly [string, string]>) => pairs.map(([question, answer]) => ({ question, answer }));

test('keeps answers in the order of the questions, without empty ones', () => {
  expect(decideAnswers(mutableQuestions, answers(['City', ' Rome '], ['Why us?', 'Because'], ['Profile', '']))).toEqual({
    do: 'keep',
    answers: answers(['Why us?', 'Because'], ['City', 'Rome']),
  });
  expect(decideAnswers([], [])).toEqual({ do: 'keep', answers: [] });
});

test.each([
  [answers(), 'answers.0'],
  [answers(['Why us?', ' ']), 'answers.0'],
  [answers(['Why us?', 'x'.repeat(2_001)]), 'answers.0'],
  [answers(['Why us?', 'x'], ['Profile', 'javascript:alert(1)']), 'answers.1'],
  [answers(['Why us?', 'x'], ['Profile', 'https://nodots']), 'answers.1'],
  [answers(['Why us?', 'x'], ['Channel', 'Radio']), 'answers.2'],
  [answers(['Why us?', 'x'], ['City', 'x'.repeat(201)]), 'answers.3'],
  [answers(['Why us?', 'x'], ['Age', '7']), 'answers'],
])('refuses the answers %o at %s', (given, field) => {
  const decision = decideAnswers(mutableQuestions, given);
  expect(decision.do === 'refuse' && decision.errors.map((error) => error.field)).toEqual([field]);
});
