import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Icon } from './icons.tsx';
import { textOf } from './problem-note.tsx';
import { saveFile, type FileType } from './save-file.ts';

type SaveCsvProps = {
  readonly path: string;
  readonly name: string;
  /** What a screen reader says where several such buttons stand on a page. Without it the button says all itself. */
  readonly of?: string;
  /** The file asks for a recent proof of identity. */
  readonly isGuarded?: boolean;
};

/** Everything that the list shows, on all its pages, as a file to calculate with. */
export function SaveCsv({ path, name, of, isGuarded = false }: SaveCsvProps) {
  if (of === undefined) return <SaveButton path={path} name={name} type="text/csv" label="Save as CSV" />;
  return <SaveButton path={path} name={name} type="text/csv" label="CSV" says={`Save ${of} as CSV`} isGuarded={isGuarded} />;
}

type SaveButtonsProps = {
  readonly path: string;
  /** Without its ending. */
  readonly name: string;
  /** What a screen reader says where several such buttons stand on a page. */
  readonly of: string;
};

/** The whole of it as a file: to calculate with, and to print. */
export function SaveButtons({ path, name, of }: SaveButtonsProps) {
  return (
    <>
      <SaveCsv path={path} name={`${name}.csv`} of={of} />
      <SaveButton path={path} name={`${name}.pdf`} type="application/pdf" label="PDF" says={`Save ${of} as PDF`} />
    </>
  );
}

type SaveButtonProps = {
  readonly path: string;
  readonly name: string;
  readonly type: FileType;
  readonly label: string;
  readonly says?: string;
  readonly isGuarded?: boolean;
};

function SaveButton({ path, name, type, label, says, isGuarded = false }: SaveButtonProps) {
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await saveFile(path, name, type, isGuarded).catch(tellNoFile);
    setSaving(false);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={16} />}
      aria-label={says}
      loading={saving}
      onClick={() => void save()}
    >
      {label}
    </Button>
  );
}

const tellNoFile = (error: unknown): string =>
  notifications.show({
    color: 'red',
    title: 'The file did not come',
    message: textOf(error instanceof Error ? error : new Error(String(error))),
  });
