import { useId, type ComponentProps, type ReactNode } from 'react';
import styles from './inputs.module.css';

export type InputLook = {
  readonly label?: ReactNode;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  readonly size?: 'sm' | 'xs' | undefined;
};

type FrameProps = InputLook & {
  readonly id?: string | undefined;
  readonly children: (attributes: InputAttributes) => ReactNode;
};

/** What ties an input to its label, its description, and its error. */
export type InputAttributes = {
  readonly id: string;
  readonly className: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
};

/** The description and the error of an input, and the attributes that tie the input to them. */
export function inputNotes(id: string, { description, error }: Pick<InputLook, 'description' | 'error'>) {
  const about = [...(description === undefined ? [] : [`${id}-description`]), ...(error === undefined ? [] : [`${id}-error`])];
  return {
    attributes: {
      'aria-describedby': about.length === 0 ? undefined : about.join(' '),
      'aria-invalid': error === undefined ? undefined : true,
    },
    description: description !== undefined && (
      <p id={`${id}-description`} className={styles.description}>
        {description}
      </p>
    ),
    error: error !== undefined && (
      <p id={`${id}-error`} className={styles.error}>
        {error}
      </p>
    ),
  } as const;
}

/** The label above an input, its description, and its error below. */
export function InputFrame({ label, description, error, size = 'sm', id: given, children }: FrameProps) {
  const own = useId();
  const id = given ?? own;
  const notes = inputNotes(id, { description, error });
  return (
    <div className={styles.frame} data-size={size}>
      {label !== undefined && (
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      )}
      {notes.description}
      {children({ id, className: styles.input ?? '', ...notes.attributes })}
      {notes.error}
    </div>
  );
}

export type TextInputProps = InputLook & Omit<ComponentProps<'input'>, 'size'>;

export const TextInput = ({ label, description, error, size, id, className = '', ...props }: TextInputProps) => (
  <InputFrame {...{ label, description, error, size, id }}>
    {(attributes) => <input {...props} {...attributes} className={`${attributes.className} ${className}`} />}
  </InputFrame>
);

type Option = string | { readonly value: string; readonly label: string; readonly disabled?: boolean };
export type SelectInputProps = InputLook & Omit<ComponentProps<'select'>, 'size'> & { readonly data: readonly Option[] };

export const SelectInput = ({ label, description, error, size, id, data, ...props }: SelectInputProps) => (
  <InputFrame {...{ label, description, error, size, id }}>
    {(attributes) => (
      <select {...props} {...attributes}>
        {data.map((option) => (
          <SelectOption key={typeof option === 'string' ? option : option.value} option={option} />
        ))}
      </select>
    )}
  </InputFrame>
);

const SelectOption = ({ option }: { readonly option: Option }) =>
  typeof option === 'string' ? (
    <option value={option}>{option}</option>
  ) : (
    <option value={option.value} disabled={option.disabled}>
      {option.label}
    </option>
  );
