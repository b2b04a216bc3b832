import { Select } from '@mantine/core';
import { language } from '../messages/messages.ts';
import { countryOptionsIn } from './countries.ts';
import { fieldLabel, type FieldProps } from './fields.tsx';
import { useFieldError } from './form.tsx';
import { t } from './messages.ts';

const countryOptions = countryOptionsIn(language);

type CountryProps = FieldProps & { readonly description?: string; readonly defaultValue?: string | undefined };

/**
 * Searchable by name. A value that is not on the list is not selected, so the person chooses again. In its own file because its
 * dropdown is large and only the tax page needs it.
 */
export function CountryField({ name, label, description, defaultValue, optional = false }: CountryProps) {
  const error = useFieldError(name);
  return (
    <Select
      name={name}
      label={fieldLabel({ name, label, optional })}
      description={description}
      data={countryOptions}
      defaultValue={countryOptions.some(({ value }) => value === defaultValue) ? (defaultValue ?? null) : null}
      searchable
      nothingFoundMessage={t.country_field.no_matching_country}
      placeholder={t.country_field.select_a_country}
      required={!optional}
      withAsterisk={false}
      error={error}
      maxDropdownHeight={260}
    />
  );
}
