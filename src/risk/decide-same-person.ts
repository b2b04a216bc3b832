import type { Evidence } from './risk-case.ts';

/** Traits of one side of a program, a store's team or a creator, as hashes and IDs that are compared and never shown. */
export type Traits = {
  readonly userIds: readonly string[];
  readonly emails: readonly string[];
  readonly payoutAccounts: readonly string[];
  readonly taxIds: readonly string[];
  /** Payment cards of the store, or of other stores whose team the creator is in or that they promote for another team. */
  readonly cards: readonly string[];
  /** Networks from which people signed up; the hash changes daily. */
  readonly networks: readonly string[];
};

const evidenceLabels = {
  userIds: 'Same account here',
  emails: 'Same email address',
  payoutAccounts: 'Same payout account',
  taxIds: 'Same tax ID',
  cards: 'Same payment card as another store of this creator',
  networks: 'Signed up from the same network on the same day',
} as const satisfies Readonly<Record<keyof Traits, string>>;

/** Traits that a team and a creator share, strongest first. */
export function decideSamePerson(team: Traits, creator: Traits): readonly Evidence[] {
  const kinds = ['userIds', 'emails', 'payoutAccounts', 'taxIds', 'cards', 'networks'] as const satisfies ReadonlyArray<keyof Traits>;
  return kinds.flatMap((kind) => {
    const known = new Set(team[kind]);
    const shared = new Set(creator[kind].filter((one) => known.has(one))).size;
    return shared === 0 ? [] : [{ what: evidenceLabels[kind], found: `${shared} in common`, compared: null }];
  });
}
