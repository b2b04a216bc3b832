import { expect, test } from 'vitest';
import { openSharedMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, signIn } from '../support/portal.ts';

const merchant = await openSharedMerchant();
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const program = merchant.world.program.id;
const store = `/stores/${merchant.world.store.id}`;

const questions = [
  { label: 'Where do you publish?', type: 'url', required: true, choices: [] },
  { label: 'Channel', type: 'choice', required: false, choices: ['Blog', 'Video'] },
];
const setQuestions = (given: readonly object[]) => owner('PUT', `${store}/programs/${program}/questions`, { questions: given });
const applicants = async (): Promise<readonly Json[]> => (await owner('GET', `${store}/creators?status=applied`)).json.data;

test('a program without questions accepts an application with an empty body, as before', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  expect((await nora.ask('GET', `/programs/${program}`)).json.questions).toEqual([]);
  expect((await nora.ask('POST', `/programs/${program}/applications`)).status).toBe(201);
  expect((await applicants())[0]).toMatchObject({ creator_name: 'Nora Newcomer', answers: [] });
});

test('creators answer the questions of a program, and the merchant reads the answers with the application', async () => {
  expect((await setQuestions(questions)).json).toEqual({ questions });
  const ada = await createCreatorPerson(merchant.service, 'Ada Answers');
  expect((await ada.ask('GET', `/programs/${program}`)).json.questions).toEqual(questions);
  expect((await owner('GET', `${store}/programs/${program}`)).json.questions).toEqual(questions);
  const apply = (answers: readonly object[]) => ada.ask('POST', `/programs/${program}/applications`, { answers });
  const missing = await apply([]);
  expect([missing.status, missing.json.errors]).toEqual([422, [{ field: 'answers.0', message: 'needs an answer' }]]);
  const answers = [
    { question: 'Where do you publish?', answer: 'https://ada.example/blog' },
    { question: 'Channel', answer: 'Blog' },
  ];
  expect((await apply(answers)).status).toBe(201);
  expect((await applicants()).find(({ creator_id: id }) => id === ada.id).answers).toEqual(answers);
  const profile = await owner('GET', `${store}/creators/${ada.id}`);
  expect(profile.json.memberships[0].answers).toEqual(answers);
  await setQuestions([]);
  expect((await owner('GET', `${store}/creators/${ada.id}`)).json.memberships[0].answers).toEqual(answers);
  expect((await ada.ask('GET', `/creators/${ada.id}/export`)).json.creator.members[0].answers).toEqual(answers);
  expect((await merchant.api('POST', `/creators/${ada.id}/erase`, {})).status).toBe(204);
  expect((await owner('GET', `${store}/creators/${ada.id}`)).json.memberships[0].answers).toEqual([]);
});

test('rejects more than five questions and questions that are not valid, and other stores cannot set them', async () => {
  const many = Array.from({ length: 6 }, (_, index) => ({ label: `Question ${index}`, type: 'text', required: false, choices: [] }));
  expect((await setQuestions(many)).status).toBe(400);
  const twice = await setQuestions([many[0] ?? {}, many[0] ?? {}]);
  expect([twice.status, twice.json.errors[0].field]).toEqual([422, 'questions.1.label']);
  const other = `/stores/${merchant.world.other_store.id}/programs/${program}/questions`;
  expect((await merchant.api('PUT', other, { questions: [] })).status).toBe(404);
});
