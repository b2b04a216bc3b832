import { Badge } from '@vendure/dashboard';
import type { ReactNode } from 'react';

const variants = { good: 'success', open: 'secondary', bad: 'destructive' } as const;

type Children = { readonly children: ReactNode };

export const Status = ({ is, children }: Children & { readonly is: keyof typeof variants }) => (
  <Badge variant={variants[is]}>{children}</Badge>
);

export const Failure = ({ children }: Children) => <p className="text-destructive text-sm">{children}</p>;

export const Row = ({ name, children }: Children & { readonly name: string }) => (
  <div className="grid grid-cols-2 gap-2 py-1 text-sm">
    <span className="font-medium">{name}</span>
    <span className="text-muted-foreground break-words">{children}</span>
  </div>
);
