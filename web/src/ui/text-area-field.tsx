import { Textarea, type TextareaProps } from '@mantine/core';
import { fieldLabel, type FieldProps } from './fields.tsx';
import { useFieldError } from './form.tsx';

/** In its own file, because few pages need a field that grows with its text. */
export function TextAreaField({ optional = false, ...props }: TextareaProps & FieldProps) {
  const error = useFieldError(props.name);
  return (
    <Textarea {...props} label={fieldLabel({ ...props, optional })} required={!optional} withAsterisk={false} error={error} rows={3} />
  );
}
