import { Checkbox, type CheckboxProps } from './checkbox.tsx';
import { SelectInput, TextInput, type SelectInputProps, type TextInputProps } from './inputs.tsx';
import type { ReactNode } from 'react';
import { useFieldError } from './form.tsx';
import styles from './form.module.css';
import { t } from './messages.ts';

// Fields of a `Form`: required unless `optional`, with the service's validation errors next to them.
export type FieldProps = { readonly name: string; readonly label: string; readonly optional?: boolean };

export const fieldLabel = ({ label, optional }: FieldProps) => (optional ? t.fields.optional({ label }) : label);

export function TextField({ optional = false, ...props }: TextInputProps & FieldProps) {
  const error = useFieldError(props.name);
  return <TextInput {...props} label={fieldLabel({ ...props, optional })} required={!optional} error={error} />;
}

export function SelectField({ optional = false, ...props }: SelectInputProps & FieldProps) {
  const error = useFieldError(props.name);
  return <SelectInput {...props} label={fieldLabel({ ...props, optional })} required={!optional} error={error} />;
}

/** Not restricted to digits: a recovery code is alphanumeric. */
export const SecondFactorField = () => (
  <TextField
    name="code"
    label={t.fields.authentication_code}
    description={t.fields.enter_the_code_from_your}
    autoComplete="one-time-code"
  />
);

/** Several checkboxes under one question, with its validation error below them. */
export function CheckboxGroup({ label, name, children }: { readonly label: string; readonly name?: string; readonly children: ReactNode }) {
  const error = useFieldError(name ?? '');
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {children}
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

export const CheckboxOption = (props: CheckboxProps & { readonly name: string; readonly value: string }) => <Checkbox {...props} />;

/** Fields side by side where the width allows it. */
export const FieldRow = ({ children }: { readonly children: ReactNode }) => <div className={styles.row}>{children}</div>;
