import { Button } from './button.tsx';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';
import styles from './pager.module.css';
import { positionAfter, positionBefore, type PagePosition } from './search-params.ts';
import { t } from './messages.ts';

type PagerProps = {
  readonly position: PagePosition;
  readonly next: string | null;
  readonly go: (position: PagePosition) => void;
  /** Which rows of how many the page shows. */
  readonly range?: ReactNode;
};

/** Links to the previous and next page, whose cursors are in the URL. Hidden when there is one page. */
export function Pager({ position, next, go, range }: PagerProps) {
  const isFirst = position.cursor === undefined;
  if (isFirst && next === null) return range === undefined ? null : <div className={styles.pager}>{range}</div>;
  return (
    <nav aria-label={t.pager.pagination} className={styles.pager}>
      {range}
      <Button variant="subtle" size="xs" disabled={isFirst} onClick={() => go({})}>
        {t.pager.first}
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="left" size={14} />}
        disabled={isFirst}
        onClick={() => go(positionBefore(position))}
      >
        {t.pager.previous}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<Icon name="right" size={14} />}
        disabled={next === null}
        onClick={() => next !== null && go(positionAfter(position, next))}
      >
        {t.pager.next}
      </Button>
    </nav>
  );
}
