import { useState, type ComponentProps } from 'react';
import { IconButton } from './button.tsx';
import { fieldLabel, type FieldProps } from './fields.tsx';
import { useFieldError } from './form.tsx';
import { Icon } from './icons.tsx';
import { InputFrame } from './inputs.tsx';
import styles from './inputs.module.css';
import { t } from './messages.ts';

type PasswordProps = FieldProps & Omit<ComponentProps<'input'>, 'type'> & { readonly description?: string };

/** In its own file, because few pages ask for a password. */
export function PasswordField({ label, optional = false, description, ...props }: PasswordProps) {
  const error = useFieldError(props.name);
  const [isShown, setShown] = useState(false);
  return (
    <InputFrame label={fieldLabel({ ...props, label, optional })} description={description} error={error}>
      {(attributes) => (
        <div className={styles.secret}>
          <input {...props} {...attributes} type={isShown ? 'text' : 'password'} required={!optional} />
          <IconButton aria-label={t.password_field.show_password} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            <Icon name={isShown ? 'eye-off' : 'eye'} size={18} />
          </IconButton>
        </div>
      )}
    </InputFrame>
  );
}
