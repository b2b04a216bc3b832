import { Button } from '@mantine/core';
import { useState } from 'react';
import { saveCsv } from '../merchant/save-csv.ts';
import { tellProblem } from '../merchant/review-sending.tsx';
import { Icon } from '../parts/icons.tsx';

type SaveCsvProps = {
  readonly path: string;
  readonly name: string;
  /** What a screen reader says where several such buttons stand on a page. */
  readonly of: string;
};

/** The whole of a list as a file, to calculate with. */
export function SaveCsv({ path, name, of }: SaveCsvProps) {
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await saveCsv(path, name).catch(tellProblem);
    setSaving(false);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={16} />}
      aria-label={`Save ${of} as CSV`}
      loading={saving}
      onClick={() => void save()}
    >
      CSV
    </Button>
  );
}
