import { timeShape, uuidShape } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';

/** Behind which row a walk through commissions goes on, the latest first. */
export const positionOf = ({ occurredAt, commissionId }: { readonly occurredAt: Date; readonly commissionId: Id<'com'> }) =>
  [String(occurredAt.getTime()), commissionId] as const;

export const positionShapes = [timeShape, uuidShape] as const;
