import { expect, test } from 'vitest';
import { decideByHand, surelyNeverMadeAt, type HandDecision, type HandFacts } from './decide-by-hand.ts';

const hour = 3_600_000;
const at = (hours: number) => new Date(Date.UTC(2026, 4, 1) + hours * hour);
const provider = { keyLifeMs: 20 * hour, absentIsSureAfterMs: hour };

type Part = Omit<Partial<HandFacts>, 'charge'> & { readonly charge?: Partial<HandFacts['charge']> };
const said = ({ charge = {}, ...part }: Part): HandDecision =>
  decideByHand({
    now: at(30),
    outcome: 'declined',
    providerId: null,
    provider,
    ...part,
    charge: { state: 'unknown', madeAt: at(0), calledAt: at(19), ...charge },
  });

// Each row also breaks something below it.
test.each<readonly [title: string, part: Part, decision: HandDecision]>([
  ['what has not been sent has no end', { charge: { state: 'ready', calledAt: null }, outcome: 'never_made', now: at(1) }, 'not_open'],
  ['what has ended has its end', { charge: { state: 'declined' }, outcome: 'succeeded' }, 'not_open'],
  [
    'what is being sent at this moment is answered in a minute',
    { charge: { state: 'sending', calledAt: at(30) }, outcome: 'never_made' },
    'in_flight',
  ],
  ['what was accepted was made', { charge: { state: 'pending' }, outcome: 'never_made', now: at(1) }, 'accepted'],
  ['while its key is sent again it may still be made', { outcome: 'never_made', now: at(19.9) }, 'may_still_be_made'],
  [
    'so it may until the last call had its time',
    { charge: { calledAt: at(19.9) }, outcome: 'never_made', now: at(20.5) },
    'may_still_be_made',
  ],
  [
    'the same holds where the process died while sending',
    { charge: { state: 'sending' }, outcome: 'never_made', now: at(19.5) },
    'may_still_be_made',
  ],
  ['what succeeded has a name at its provider', { outcome: 'succeeded' }, 'without_its_name'],
  ['that it was declined is seen at once', { now: at(1) }, 'go'],
  ['that it succeeded too', { outcome: 'succeeded', providerId: 'ch_1', now: at(1) }, 'go'],
  ['in the end a list without it proves that there is none', { outcome: 'never_made' }, 'go'],
  ['to a provider that is not set up nothing is sent again', { outcome: 'never_made', now: at(19.5), provider: null }, 'go'],
  ['what was accepted may have been declined later', { charge: { state: 'pending' } }, 'go'],
])('%s', (_title, part, decision) => {
  expect(said(part)).toBe(decision);
});

test('that it was never made is sure once the key is forgotten and the last call had its time', () => {
  expect(surelyNeverMadeAt({ madeAt: at(0), calledAt: at(3) }, provider)).toEqual(at(20));
  expect(surelyNeverMadeAt({ madeAt: at(0), calledAt: at(19.5) }, provider)).toEqual(at(20.5));
  expect(surelyNeverMadeAt({ madeAt: at(0), calledAt: at(2) }, null)).toEqual(new Date(at(2).getTime() + 60_000));
});
