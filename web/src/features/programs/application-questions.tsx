import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApplicationQuestion, Program } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { FieldRow, SelectField, TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { programPath } from './programs-api.ts';
import styles from './terms.module.css';
import { t } from './messages.ts';

const questionsMax = 5;
const labelLengthMax = 200;
const types: ReadonlyArray<{ readonly value: ApplicationQuestion['type']; readonly label: string }> = [
  { value: 'text', label: t.application_questions.short_text },
  { value: 'long_text', label: t.application_questions.long_text },
  { value: 'url', label: t.application_questions.profile_or_website_address },
  { value: 'choice', label: t.application_questions.one_of_several_choices },
];

type Draft = { readonly key: number; readonly question: ApplicationQuestion };
const emptyQuestion: ApplicationQuestion = { label: '', type: 'text', required: true, choices: [] };

/** What creators are asked when they apply to the program. */
export function ApplicationQuestions({ store, program }: { readonly store: string; readonly program: Program }) {
  const client = useQueryClient();
  const [drafts, setDrafts] = useState<readonly Draft[]>(program.questions.map((question, key) => ({ key, question })));
  const nextKey = Math.max(-1, ...drafts.map(({ key }) => key)) + 1;
  const send = (values: Values) =>
    api.put(apiPath('/stores/{store}/programs/{program}/questions', { store, program: program.id }), {
      questions: drafts.map((_draft, index) => readQuestion(values, index)),
    });
  const done = async () => {
    toasts.show({ message: t.application_questions.questions_saved });
    await refresh(client, programPath(store, program.id));
  };
  return (
    <Section
      title={t.application_questions.application_questions}
      intro={t.application_questions.creators_answer_up_to_questions({ most: questionsMax })}
    >
      <Form send={send} done={done} submit={t.application_questions.save_questions}>
        {drafts.map(({ key, question }, index) => (
          <QuestionFields
            key={key}
            index={index}
            question={question}
            remove={() => setDrafts(drafts.filter((draft) => draft.key !== key))}
          />
        ))}
        {drafts.length < questionsMax && (
          <div>
            <Button variant="default" size="xs" onClick={() => setDrafts([...drafts, { key: nextKey, question: emptyQuestion }])}>
              {t.application_questions.add_question}
            </Button>
          </div>
        )}
      </Form>
    </Section>
  );
}

function readQuestion(values: Values, index: number): ApplicationQuestion {
  const name = `questions.${index}`;
  const type = values.option<ApplicationQuestion['type']>(`${name}.type`);
  const lines = values.text(`${name}.choices`).split('\n');
  return {
    label: values.text(`${name}.label`),
    type,
    required: values.text(`${name}.required`) === 'on',
    choices: type === 'choice' ? lines.map((line) => line.trim()).filter((line) => line !== '') : [],
  };
}

type QuestionFieldsProps = { readonly index: number; readonly question: ApplicationQuestion; readonly remove: () => void };

function QuestionFields({ index, question, remove }: QuestionFieldsProps) {
  const [type, setType] = useState<string>(question.type);
  const name = `questions.${index}`;
  const number = index + 1;
  return (
    <fieldset className={styles.question}>
      <legend>{t.application_questions.question({ number })}</legend>
      <FieldRow>
        <TextField
          name={`${name}.label`}
          label={t.application_questions.question_2}
          maxLength={labelLengthMax}
          defaultValue={question.label}
        />
        <SelectField
          name={`${name}.type`}
          label={t.application_questions.answer}
          data={types}
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
        />
      </FieldRow>
      {type === 'choice' && (
        <TextAreaField
          name={`${name}.choices`}
          label={t.application_questions.choices}
          description={t.application_questions.one_per_line}
          defaultValue={question.choices.join('\n')}
          rows={2}
        />
      )}
      <div className={styles.questionFoot}>
        <Checkbox name={`${name}.required`} label={t.application_questions.required} defaultChecked={question.required} />
        <Button variant="subtle" color="red" size="xs" aria-label={t.application_questions.remove_question({ number })} onClick={remove}>
          {t.application_questions.remove}
        </Button>
      </div>
    </fieldset>
  );
}
