import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

export type ButtonLook = {
  /** `filled` for the one main action, `default` for the others, `subtle` for an action beside a value. */
  readonly variant?: 'filled' | 'default' | 'subtle';
  readonly color?: 'accent' | 'red' | 'gray';
  readonly size?: 'sm' | 'xs' | 'compact-xs';
  readonly fullWidth?: boolean;
  readonly leftSection?: ReactNode;
  readonly rightSection?: ReactNode;
};

type ButtonProps = ButtonLook &
  ComponentProps<'button'> & { /** The action runs: the button shows it and cannot be pressed. */ readonly loading?: boolean };

/** Unlike in HTML, it submits its form only with `type="submit"`. */
export function Button({ loading = false, disabled = false, type = 'button', ...props }: ButtonProps) {
  const { look, children, ...rest } = lookOf(props);
  return (
    <button {...rest} {...look} type={type} disabled={disabled || loading} data-loading={loading || undefined}>
      {children}
    </button>
  );
}

/** A link that looks like a button, for navigation. */
export function AnchorButton(props: ButtonLook & ComponentProps<'a'>) {
  const { look, children, ...rest } = lookOf(props);
  return (
    <a {...rest} {...look}>
      {children}
    </a>
  );
}

/** Buttons of one decision, without space between them. */
export const ButtonGroup = ({ children }: { readonly children: ReactNode }) => (
  <div role="group" className={styles.group}>
    {children}
  </div>
);

type IconButtonProps = Omit<ComponentProps<'button'>, 'color'> &
  Pick<ButtonLook, 'color'> & {
    readonly 'aria-label': string;
    readonly size?: 'sm' | 'md' | 'lg';
  };

/** A button that shows only an icon. */
export const IconButton = ({ color = 'gray', size = 'md', className = '', ...props }: IconButtonProps) => (
  <button type="button" {...props} className={`${styles.icon} ${className}`} data-color={color} data-size={size} />
);

type Looking = ButtonLook & { readonly className?: string | undefined; readonly children?: ReactNode };

/** Splits the look of a button from the attributes of its element. */
function lookOf<Props extends Looking>({
  variant = 'filled',
  color = 'accent',
  size = 'sm',
  fullWidth = false,
  leftSection,
  rightSection,
  className = '',
  children,
  ...rest
}: Props) {
  return {
    ...rest,
    look: {
      className: `${styles.button} ${className}`,
      'data-variant': variant,
      'data-color': color,
      'data-size': size,
      'data-wide': fullWidth || undefined,
    },
    children: (
      <>
        {leftSection !== undefined && <span className={styles.section}>{leftSection}</span>}
        <span className={styles.label}>{children}</span>
        {rightSection !== undefined && <span className={styles.section}>{rightSection}</span>}
      </>
    ),
  };
}
