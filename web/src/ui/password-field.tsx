import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { fieldLabel, type FieldProps } from './fields.tsx';
import { useFieldError } from './form.tsx';
import { t } from './messages.ts';

/** In its own file, because few pages ask for a password. */
export function PasswordField({ optional = false, ...props }: PasswordInputProps & FieldProps) {
  const error = useFieldError(props.name);
  return (
    <PasswordInput
      {...props}
      // Mantine marks other fields as invalid; without this, the password field neither gets the focus nor is announced as invalid.
      aria-invalid={error !== undefined}
      visibilityToggleButtonProps={{ 'aria-label': t.password_field.show_password, tabIndex: 0 }}
      label={fieldLabel({ ...props, optional })}
      required={!optional}
      withAsterisk={false}
      error={error}
    />
  );
}
