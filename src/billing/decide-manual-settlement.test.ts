import { expect, test } from 'vitest';
import { decideManualSettlement, callsOf, type ManualSettlementDecision, type ManualSettlementFacts } from './decide-manual-settlement.ts';

const hour = 3_600_000;
const at = (hours: number) => new Date(Date.UTC(2026, 4, 1) + hours * hour);
const provider = { keyLifeMs: 20 * hour, absentIsSureAfterMs: hour };

type Part = Omit<Partial<ManualSettlementFacts>, 'charge'> & { readonly charge?: Partial<ManualSettlementFacts['charge']> };
const said = ({ charge = {}, ...part }: Part): ManualSettlementDecision =>
  decideManualSettlement({
    now: at(30),
    outcome: 'declined',
    providerId: null,
    provider,
    ...part,
    charge: { state: 'unknown', madeAt: at(0), calledAt: at(19), ...charge },
  });

// Each row also breaks a later rule.
test.each<readonly [title: string, part: Part, decision: ManualSettlementDecision]>([
  [
    'rejects the end of a charge that was not sent',
    { charge: { state: 'ready', calledAt: null }, outcome: 'never_made', now: at(1) },
    'not_open',
  ],
  ['rejects another end of a finished charge', { charge: { state: 'declined' }, outcome: 'succeeded' }, 'not_open'],
  ['rejects the end of a charge that is in flight', { charge: { state: 'sending', calledAt: at(30) }, outcome: 'never_made' }, 'in_flight'],
  [
    'rejects "never made" for a charge that the provider accepted',
    { charge: { state: 'pending' }, outcome: 'never_made', now: at(1) },
    'accepted',
  ],
  ['rejects "never made" while the key may be sent again', { outcome: 'never_made', now: at(19.9) }, 'may_still_be_made'],
  [
    'rejects "never made" until the last call has timed out',
    { charge: { calledAt: at(19.9) }, outcome: 'never_made', now: at(20.5) },
    'may_still_be_made',
  ],
  [
    'rejects "never made" after a crash while sending',
    { charge: { state: 'sending' }, outcome: 'never_made', now: at(19.5) },
    'may_still_be_made',
  ],
  ['requires the provider ID of a successful charge', { outcome: 'succeeded' }, 'without_its_name'],
  ['accepts "declined" immediately', { now: at(1) }, 'go'],
  ['accepts "succeeded" immediately', { outcome: 'succeeded', providerId: 'ch_1', now: at(1) }, 'go'],
  ['accepts "never made" once the absence is proof', { outcome: 'never_made' }, 'go'],
  ['accepts "never made" if the provider is not configured', { outcome: 'never_made', now: at(19.5), provider: null }, 'go'],
  ['accepts "declined" for a charge that the provider accepted', { charge: { state: 'pending' } }, 'go'],
])('%s', (_title, part, decision) => {
  expect(said(part)).toBe(decision);
});

test('a charge that was never called counts as called when it was created', () => {
  expect(callsOf({ madeAt: at(0), calledAt: null })).toEqual({ keyFrom: at(0), lastCalledAt: at(0) });
  expect(callsOf({ madeAt: at(0), calledAt: at(3) })).toEqual({ keyFrom: at(0), lastCalledAt: at(3) });
});
