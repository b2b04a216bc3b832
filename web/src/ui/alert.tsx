import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icons.tsx';
import styles from './alert.module.css';

type AlertProps = Omit<ComponentProps<'div'>, 'title' | 'color'> & {
  readonly title?: ReactNode;
  readonly color?: 'red' | 'yellow' | 'accent';
};

/** A message about the whole page or section: what happened or what to do. */
export const Alert = ({ title, color = 'accent', children, ...props }: AlertProps) => (
  <div role="alert" {...props} className={styles.alert} data-color={color}>
    {color !== 'accent' && <Icon name="alert" />}
    <div className={styles.body}>
      {title !== undefined && <div className={styles.title}>{title}</div>}
      <div>{children}</div>
    </div>
  </div>
);
