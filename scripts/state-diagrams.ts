import { chargeTransitions } from '../src/billing/charge-states.ts';
import { invoiceTransitions } from '../src/billing/invoice-states.ts';
import { commissionTransitions } from '../src/commissions/commission-states.ts';
import type { Transitions } from '../src/core/state-machine.ts';
import { membershipTransitions } from '../src/creators/membership-states.ts';
import { payoutTransitions } from '../src/payouts/payout-states.ts';
import { relationshipTransitions } from '../src/subscriptions/relationship-states.ts';

type Machine = {
  readonly title: string;
  readonly file: string;
  readonly first: readonly string[];
  readonly about: string;
  readonly transitions: Transitions<string>;
};

const machines: readonly Machine[] = [
  {
    title: 'Commission',
    file: 'src/commissions/commission-states.ts',
    first: ['pending'],
    about: 'What a creator earns on one order or subscription invoice. A hold is not a state.',
    transitions: commissionTransitions,
  },
  {
    title: 'Invoice',
    file: 'src/billing/invoice-states.ts',
    first: ['gathering'],
    about: 'What a store pays for its approved commissions. `gathering` is the draft.',
    transitions: invoiceTransitions,
  },
  {
    title: 'Charge',
    file: 'src/billing/charge-states.ts',
    first: ['ready'],
    about: 'One attempt to charge an invoice to one payment method. An invoice has at most one unfinished charge.',
    transitions: chargeTransitions,
  },
  {
    title: 'Payout',
    file: 'src/payouts/payout-states.ts',
    first: ['gathering'],
    about: 'A transfer of an available balance to one creator. `gathering` is the draft. A creator has at most one unfinished payout.',
    transitions: payoutTransitions,
  },
  {
    title: 'Membership',
    file: 'src/creators/membership-states.ts',
    first: ['applied', 'approved'],
    about: 'A creator in a program. It begins as `approved` if the merchant adds the creator.',
    transitions: membershipTransitions,
  },
  {
    title: 'Relationship',
    file: 'src/subscriptions/relationship-states.ts',
    first: ['active'],
    about: 'A subscription that was bound to a click. An open review is not a state.',
    transitions: relationshipTransitions,
  },
];

/** The text of `docs/states.md`. */
export const stateDiagrams = (): string =>
  [
    '# States',
    [
      'Every state of a commission, invoice, charge, payout, membership, and subscription relationship, and every event that changes it. The',
      'service writes a state only through these transitions. `npm run states` generates this page from the code.',
    ].join('\n'),
    ...machines.map(sectionOf),
  ].join('\n\n') + '\n';

const sectionOf = ({ title, file, first, about, transitions }: Machine): string =>
  [
    `## ${title}`,
    about,
    `Defined in [\`${file}\`](../${file}).`,
    ['```mermaid', 'stateDiagram-v2', ...first.map((state) => `  [*] --> ${state}`), ...arrowsOf(transitions), '```'].join('\n'),
  ].join('\n\n');

/** One arrow for each pair of states, with all its events. */
function arrowsOf(transitions: Transitions<string>): readonly string[] {
  const arrows = Object.entries(transitions).flatMap(([event, { from, to }]) =>
    from.map((state) => ({ pair: `${state} --> ${to ?? state}`, event: wordsOf(event) })),
  );
  return [...Map.groupBy(arrows, ({ pair }) => pair)].map(([pair, all]) => `  ${pair}: ${all.map(({ event }) => event).join(' / ')}`);
}

const wordsOf = (event: string): string => event.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
