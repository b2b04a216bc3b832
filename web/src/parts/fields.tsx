import {
  Checkbox,
  NativeSelect,
  PasswordInput,
  Textarea,
  TextInput,
  type CheckboxProps,
  type NativeSelectProps,
  type PasswordInputProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { useFault } from './form.tsx';
import styles from './form.module.css';

// Fields of a `Form`: required unless said otherwise, with what the service finds wrong beside them.
export type Named = { readonly name: string; readonly label: string; readonly optional?: boolean };

export const labelOf = ({ label, optional }: Named) => (optional ? `${label} (optional)` : label);

export function TextField({ optional = false, ...props }: TextInputProps & Named) {
  const error = useFault(props.name);
  return <TextInput {...props} label={labelOf({ ...props, optional })} required={!optional} withAsterisk={false} error={error} />;
}

export function TextAreaField({ optional = false, ...props }: TextareaProps & Named) {
  const error = useFault(props.name);
  return <Textarea {...props} label={labelOf({ ...props, optional })} required={!optional} withAsterisk={false} error={error} rows={3} />;
}

export function PasswordField({ optional = false, ...props }: PasswordInputProps & Named) {
  const error = useFault(props.name);
  return (
    <PasswordInput
      {...props}
      // Other fields are marked by themselves; without it this one neither gets the focus nor is read as wrong.
      aria-invalid={error !== undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
      label={labelOf({ ...props, optional })}
      required={!optional}
      withAsterisk={false}
      error={error}
    />
  );
}

export function SelectField({ optional = false, ...props }: NativeSelectProps & Named) {
  const error = useFault(props.name);
  return <NativeSelect {...props} label={labelOf({ ...props, optional })} required={!optional} withAsterisk={false} error={error} />;
}

/** For whoever has a second factor. Not for digits alone: a recovery code has letters. */
export const SecondFactorField = () => (
  <TextField
    name="code"
    label="Code from your authenticator app"
    description="A recovery code works too, once."
    autoComplete="one-time-code"
  />
);

/** Several boxes under one question; what is wrong with the choice stands below it. */
export function Choices({ label, name, children }: { readonly label: string; readonly name?: string; readonly children: ReactNode }) {
  const fault = useFault(name ?? '');
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {children}
      {fault !== undefined && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

export const Choice = (props: CheckboxProps & { readonly name: string; readonly value: string }) => <Checkbox {...props} />;

/** Fields side by side where there is room. */
export const Row = ({ children }: { readonly children: ReactNode }) => <div className={styles.row}>{children}</div>;
