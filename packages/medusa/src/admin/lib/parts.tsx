import { Text } from '@medusajs/ui';
import type { ReactNode } from 'react';

export const colors = { accepted: 'green', waiting: 'orange', refused: 'red' } as const;

const centsPerDollar = 100;
export const money = (cents: number): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' }).format(cents / centsPerDollar);

export function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-2 items-start px-6 py-4">
      <Text size="small" weight="plus">
        {name}
      </Text>
      <Text size="small" className="text-ui-fg-subtle">
        {children}
      </Text>
    </div>
  );
}
