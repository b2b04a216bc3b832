import type { Evidence } from './case.ts';

/** What is known of one side of a program: of the team of a store, or of a creator. Hashes and ids, compared and never shown. */
export type Traits = {
  readonly userIds: readonly string[];
  readonly emails: readonly string[];
  readonly payoutAccounts: readonly string[];
  readonly taxIds: readonly string[];
  /** Networks from which people signed up; the hash is another one each day. */
  readonly networks: readonly string[];
};

const words = {
  userIds: 'Same account here',
  emails: 'Same email address',
  payoutAccounts: 'Same payout account',
  taxIds: 'Same tax ID',
  networks: 'Signed up from the same network on the same day',
} as const satisfies Readonly<Record<keyof Traits, string>>;

/** What a team and a creator have in common, the strongest first. Empty: nothing. */
export function decideSamePerson(team: Traits, creator: Traits): readonly Evidence[] {
  const kinds = ['userIds', 'emails', 'payoutAccounts', 'taxIds', 'networks'] as const satisfies ReadonlyArray<keyof Traits>;
  return kinds.flatMap((kind) => {
    const known = new Set(team[kind]);
    const shared = new Set(creator[kind].filter((one) => known.has(one))).size;
    return shared === 0 ? [] : [{ what: words[kind], found: `${shared} in common`, compared: null }];
  });
}
