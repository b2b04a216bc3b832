import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actionsOfArea, auditActions, auditAreas } from '../../src/people/audit-actions.ts';
import { wholeRoutes } from '../support/described-responses.ts';

const catalog: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(readFileSync('locales/en/audit.json', 'utf8'));
const sentences = Object.keys(catalog['audit_actions'] ?? {});

test('every action that the service can record has a sentence', () => {
  expect(auditActions.filter((action) => !sentences.includes(action))).toEqual([]);
});

test('every sentence belongs to an action, or to an action with one of its results', () => {
  const isKnown = (name: string) => auditActions.some((action) => name === action || name.startsWith(`${action}.`));
  expect(sentences.filter((name) => !isKnown(name))).toEqual([]);
});

test('the list of actions contains each one once, in alphabetical order', () => {
  expect([...auditActions]).toEqual([...new Set(auditActions)].toSorted());
});

test('every operation of the API that is recorded is in the list of actions', () => {
  const recorded = wholeRoutes.flatMap(({ endpoint }) => endpoint.audit ?? []);
  expect(recorded.length).toBeGreaterThan(100);
  expect(recorded.filter((action) => !auditActions.includes(action))).toEqual([]);
});

test('every action is in exactly one area, and every area has a name', () => {
  expect(auditAreas.flatMap((area) => actionsOfArea(area)).toSorted()).toEqual([...auditActions]);
  expect(Object.keys(catalog['audit_areas'] ?? {})).toEqual([...auditAreas]);
});

test('every sentence begins with the person or program that acted', () => {
  expect(Object.values(catalog['audit_actions'] ?? {}).filter((text) => !text.startsWith('<actor/> '))).toEqual([]);
});
