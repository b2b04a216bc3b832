import type { FieldError } from '../http/responses.ts';
import type { ApplicationAnswer, ApplicationQuestion } from '../merchants/question-shapes.ts';
import { apiMessage } from '../messages/api-message.ts';

const lengthMax = { text: 200, long_text: 2_000, url: 500, choice: 100 } as const;

export type AnswersDecision =
  | { readonly do: 'keep'; readonly answers: readonly ApplicationAnswer[] }
  | { readonly do: 'refuse'; readonly errors: readonly FieldError[] };

/** Answers in the order of the questions. An error names its question by its number. */
export function decideAnswers(questions: readonly ApplicationQuestion[], given: readonly ApplicationAnswer[]): AnswersDecision {
  const unknown = given.find(({ question }) => !questions.some(({ label }) => label === question));
  if (unknown !== undefined)
    return {
      do: 'refuse',
      errors: [{ field: 'answers', message: apiMessage('decide_answers.answers_question_removed_reload_page') }],
    };
  const answered = questions.map((question) => ({
    question,
    answer: (given.find(({ question: label }) => label === question.label)?.answer ?? '').trim(),
  }));
  const errors = answered.flatMap(({ question, answer }, index) => {
    const message = errorOf(question, answer);
    return message === null ? [] : [{ field: `answers.${index}`, message }];
  });
  if (errors.length > 0) return { do: 'refuse', errors };
  return {
    do: 'keep',
    answers: answered.filter(({ answer }) => answer !== '').map(({ question: { label }, answer }) => ({ question: label, answer })),
  };
}

function errorOf({ type, required, choices }: ApplicationQuestion, answer: string): string | null {
  if (answer === '') return required ? 'needs an answer' : null;
  if (answer.length > lengthMax[type]) return `has more than ${lengthMax[type]} characters`;
  if (type === 'choice' && !choices.includes(answer)) return 'is not one of the choices';
  if (type === 'url' && !isWebAddress(answer)) return 'must be a web address, such as https://example.com/you';
  return null;
}

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/]+\.[^\s]+$/.test(text) && URL.canParse(text);
