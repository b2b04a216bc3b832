import { useEffect, useId, useRef, type ComponentProps } from 'react';
import { inputNotes, type InputLook } from './inputs.tsx';
import styles from './inputs.module.css';

type ChoiceProps = InputLook & Omit<ComponentProps<'input'>, 'size' | 'type'>;
export type CheckboxProps = ChoiceProps & { /** Some of its rows are checked, and others not. */ readonly indeterminate?: boolean };

/** A checkbox with its label beside it. In a table it has only an `aria-label`. */
export function Checkbox({ indeterminate = false, ...props }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = indeterminate;
  });
  return <Choice {...props} ref={input} type="checkbox" />;
}

export const Radio = (props: ChoiceProps) => <Choice {...props} type="radio" />;

function Choice({ label, description, error, size = 'sm', ...input }: ChoiceProps & { readonly type: string }) {
  const id = useId();
  const notes = inputNotes(id, { description, error });
  return (
    <div className={label === undefined ? `${styles.choice} ${styles.bare}` : styles.choice} data-size={size}>
      <input {...input} id={id} {...notes.attributes} />
      {label !== undefined && <label htmlFor={id}>{label}</label>}
      {notes.description}
      {notes.error}
    </div>
  );
}
