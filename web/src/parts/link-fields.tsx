import { TextField } from './fields.tsx';

type LinkFieldsProps = {
  /** What the link may lead to, and where it leads if nothing is said. */
  readonly leadsTo: string;
};

/** Where a new link leads and what it is called; whose it is is asked before. */
export const LinkFields = ({ leadsTo }: LinkFieldsProps) => (
  <>
    <TextField name="destination_url" label="Leads to" description={leadsTo} type="url" inputMode="url" optional />
    <TextField
      name="code"
      label="Code"
      description="The last part of the link, 3 to 64 letters and digits; empty: one by chance."
      pattern="[A-Za-z0-9_\-]{3,64}"
      optional
    />
  </>
);

/** What the fields above say, as the service wants it. */
export const linkIn = (values: { readonly text: (name: string) => string }) => ({
  destination_url: values.text('destination_url') || null,
  code: values.text('code') || null,
});
