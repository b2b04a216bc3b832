import type { ReactNode } from 'react';

/** Something that happened to a conversion, or will. */
export type Moment = {
  readonly key: string;
  readonly at: string;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  readonly tone?: 'good' | 'wait' | 'bad';
};
