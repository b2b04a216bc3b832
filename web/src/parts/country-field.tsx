import { Select } from '@mantine/core';
import { countryOptions } from './countries.ts';
import { labelOf, type Named } from './fields.tsx';
import { useFault } from './form.tsx';

type CountryProps = Named & { readonly description?: string; readonly defaultValue?: string | undefined };

/**
 * Searchable, by the countries' English names. A value that is not on the list is not selected: the person chooses again.
 * In a file of its own because its dropdown is heavy and only the tax page needs it.
 */
export function CountryField({ name, label, description, defaultValue, optional = false }: CountryProps) {
  const error = useFault(name);
  return (
    <Select
      name={name}
      label={labelOf({ name, label, optional })}
      description={description}
      data={countryOptions}
      defaultValue={countryOptions.some(({ value }) => value === defaultValue) ? (defaultValue ?? null) : null}
      searchable
      nothingFoundMessage="No country has this name"
      placeholder="Select a country"
      required={!optional}
      withAsterisk={false}
      error={error}
      maxDropdownHeight={260}
    />
  );
}
