import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Icon } from './icons.tsx';
import { errorText } from './error-alert.tsx';
import { downloadFile, type FileType } from './download.ts';

type ExportCsvButtonProps = {
  readonly path: string;
  readonly name: string;
  /** What a screen reader adds where a page has several such buttons. Without it the button has a full label. */
  readonly subject?: string;
  /** The file needs a recent proof of identity. */
  readonly needsProof?: boolean;
};

/** Exports all rows of the list, on all its pages, as CSV. */
export function ExportCsvButton({ path, name, subject, needsProof = false }: ExportCsvButtonProps) {
  if (subject === undefined) return <ExportButton path={path} name={name} type="text/csv" label="Save as CSV" />;
  return <ExportButton path={path} name={name} type="text/csv" label="CSV" ariaLabel={`Save ${subject} as CSV`} needsProof={needsProof} />;
}

type ExportButtonsProps = {
  readonly path: string;
  /** Without the extension. */
  readonly name: string;
  /** What a screen reader adds where a page has several such buttons. */
  readonly subject: string;
};

/** Exports everything as CSV and PDF. */
export function ExportButtons({ path, name, subject }: ExportButtonsProps) {
  return (
    <>
      <ExportCsvButton path={path} name={`${name}.csv`} subject={subject} />
      <ExportButton path={path} name={`${name}.pdf`} type="application/pdf" label="PDF" ariaLabel={`Save ${subject} as PDF`} />
    </>
  );
}

type ExportButtonProps = {
  readonly path: string;
  readonly name: string;
  readonly type: FileType;
  readonly label: string;
  readonly ariaLabel?: string;
  readonly needsProof?: boolean;
};

function ExportButton({ path, name, type, label, ariaLabel, needsProof = false }: ExportButtonProps) {
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await downloadFile(path, name, type, needsProof).catch(notifyDownloadFailed);
    setSaving(false);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={16} />}
      aria-label={ariaLabel}
      loading={saving}
      onClick={() => void save()}
    >
      {label}
    </Button>
  );
}

const notifyDownloadFailed = (error: unknown): string =>
  notifications.show({
    color: 'red',
    title: 'The file did not come',
    message: errorText(error instanceof Error ? error : new Error(String(error))),
  });
