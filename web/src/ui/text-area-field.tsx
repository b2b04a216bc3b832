import type { ComponentProps, ReactNode } from 'react';
import { fieldLabel, type FieldProps } from './fields.tsx';
import { useFieldError } from './form.tsx';
import { InputFrame } from './inputs.tsx';

// In its own file, because few pages need a field for a long text.
type TextAreaProps = ComponentProps<'textarea'> & {
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: string | undefined;
  /** Shown in the monospaced font. */
  readonly isCode?: boolean;
};

/** It grows with its text where the browser supports that. */
export const TextArea = ({ label, description, error, rows = 3, isCode = false, ...props }: TextAreaProps) => (
  <InputFrame label={label} description={description} error={error}>
    {(attributes) => (
      <textarea {...props} {...attributes} rows={rows} data-code={isCode || undefined} style={{ minHeight: `calc(${rows}lh + 18px)` }} />
    )}
  </InputFrame>
);

export function TextAreaField({ optional = false, ...props }: FieldProps & TextAreaProps) {
  const error = useFieldError(props.name);
  return <TextArea {...props} label={fieldLabel({ ...props, optional })} required={!optional} error={error} />;
}
