import { Type as T } from 'typebox';
import { notFound, refuse, type FieldError } from '../http/responses.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { lockProgram, updateQuestions } from './programs-sql.ts';
import { questionJson, questionsMax, type ApplicationQuestion } from './question-shapes.ts';
import { apiMessage } from '../messages/api-message.ts';

export const setQuestionsEndpoint = endpoint({
  summary: 'Set the questions for applications; existing answers do not change',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  body: strictObject({ questions: T.Array(questionJson, { maxItems: questionsMax }) }),
  reply: T.Object({ questions: T.Array(questionJson) }),
  audit: 'program.questions',
  async handle({ db, ids, body: { questions } }) {
    const key = { storeId: ids.store, programId: ids.program };
    if ((await lockProgram(db, key)) === null) return notFound;
    const errors = questionErrors(questions);
    if (errors.length > 0) return refuse('unprocessable', apiMessage('application_questions.questions_invalid_see_errors'), errors);
    await updateQuestions(db, key, questions);
    return { questions };
  },
});

/** Answers name their question by its label, so labels are unique. */
export function questionErrors(questions: readonly ApplicationQuestion[]): readonly FieldError[] {
  return questions.flatMap(({ label, type, choices }, index): readonly FieldError[] => {
    const errorAt = (field: string, message: string) => ({ field: `questions.${index}.${field}`, message });
    if (questions.findIndex((other) => other.label === label) !== index) return [errorAt('label', 'is the label of another question too')];
    if (type === 'choice' && choices.length < 2) return [errorAt('choices', 'needs at least two choices')];
    if (type !== 'choice' && choices.length > 0) return [errorAt('choices', 'only a question of the type choice has choices')];
    if (new Set(choices).size < choices.length) return [errorAt('choices', 'has duplicate choices')];
    return [];
  });
}
