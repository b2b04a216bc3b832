const knownKinds = ['sign_up', 'trial', 'booked_call'] as const;

/** The kinds that the guides name have words in the catalogs; a store chooses the others. */
export const knownLeadKind = (kind: string): (typeof knownKinds)[number] | 'other' => knownKinds.find((one) => one === kind) ?? 'other';
