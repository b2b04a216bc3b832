import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { tellProblem } from './review-sending.tsx';
import { saveFile } from './save-csv.ts';

type SaveButtonsProps = {
  readonly path: string;
  /** Without its ending. */
  readonly name: string;
  /** What a screen reader says where several such buttons stand on a page. */
  readonly of: string;
};

const forms = [
  { label: 'CSV', ending: 'csv', type: 'text/csv' },
  { label: 'PDF', ending: 'pdf', type: 'application/pdf' },
] as const;

/** The whole of it as a file: to calculate with, and to print. */
export function SaveButtons({ path, name, of }: SaveButtonsProps) {
  const [saving, setSaving] = useState<string | null>(null);
  const save = async ({ label, ending, type }: (typeof forms)[number]) => {
    setSaving(label);
    await saveFile(path, `${name}.${ending}`, type).catch(tellProblem);
    setSaving(null);
  };
  return (
    <>
      {forms.map((form) => (
        <Button
          key={form.label}
          variant="default"
          size="xs"
          leftSection={<Icon name="download" size={16} />}
          aria-label={`Save ${of} as ${form.label}`}
          loading={saving === form.label}
          onClick={() => void save(form)}
        >
          {form.label}
        </Button>
      ))}
    </>
  );
}
