import { TextField } from './fields.tsx';
import { t } from './messages.ts';

type LinkFieldsProps = {
  /** Describes the allowed destinations and the default. */
  readonly leadsTo: string;
};

/** The destination and code of a new link. */
export const LinkFields = ({ leadsTo }: LinkFieldsProps) => (
  <>
    <TextField name="destination_url" label={t.link_fields.destination_url} description={leadsTo} type="url" inputMode="url" optional />
    <TextField name="code" label={t.link_fields.code} description={t.link_fields.code_help} pattern="[A-Za-z0-9_\-]{3,64}" optional />
  </>
);

/** The request body of the fields above. */
export const linkBody = (values: { readonly text: (name: string) => string }) => ({
  destination_url: values.text('destination_url') || null,
  code: values.text('code') || null,
});
