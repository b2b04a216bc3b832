import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { tellProblem } from './review-sending.tsx';
import { saveCsv } from './save-csv.ts';

/** Everything that the list shows, on all its pages, as a file. */
export function SaveCsvButton({ path, name }: { readonly path: string; readonly name: string }) {
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await saveCsv(path, name).catch(tellProblem);
    setSaving(false);
  };
  return (
    <Button variant="default" size="xs" leftSection={<Icon name="download" size={16} />} loading={saving} onClick={() => void save()}>
      Save as CSV
    </Button>
  );
}
