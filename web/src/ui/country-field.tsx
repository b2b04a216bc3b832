import { language } from '../messages/messages.ts';
import { countryOptionsIn } from './countries.ts';
import { SelectField, type FieldProps } from './fields.tsx';
import { t } from './messages.ts';

const countryOptions = countryOptionsIn(language);

type CountryProps = FieldProps & { readonly description?: string; readonly defaultValue?: string | undefined };

/** A value that is not on the list is not selected, so the person chooses again. */
export const CountryField = ({ defaultValue, ...props }: CountryProps) => (
  <SelectField
    {...props}
    data={[{ value: '', label: t.country_field.select_a_country, disabled: true }, ...countryOptions]}
    defaultValue={countryOptions.some(({ value }) => value === defaultValue) ? defaultValue : ''}
  />
);
