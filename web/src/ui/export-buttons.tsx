import { withQuery } from '../api/operations.ts';
import { Button } from './button.tsx';
import { toasts } from './toasts.ts';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { errorText } from './error-alert.tsx';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

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
  if (subject === undefined) return <ExportButton path={path} name={name} type="text/csv" label={t.export_buttons.export_csv} />;
  return (
    <ExportButton
      path={path}
      name={name}
      type="text/csv"
      label={t.export_buttons.csv}
      ariaLabel={t.export_buttons.export_as_csv({ subject })}
      needsProof={needsProof}
    />
  );
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
      <ExportButton
        path={path}
        name={`${name}.pdf`}
        type="application/pdf"
        label="PDF"
        ariaLabel={t.export_buttons.export_as_pdf({ subject })}
      />
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

export const notifyDownloadFailed = (error: unknown): string =>
  toasts.show({
    color: 'red',
    title: t.export_buttons.couldnt_export_the_file,
    message: errorText(error instanceof Error ? error : new Error(String(error))),
  });

type FileType = 'text/csv' | 'application/pdf';

/**
 * Downloads through a link: the browser streams the file to disk, so that 100,000 lines are never in memory, and shows the progress.
 * The check comes first because a browser shows no reason for a failed download.
 */
async function downloadFile(path: string, name: string, type: FileType, needsProof = false): Promise<void> {
  if (needsProof) await api.requireRecentProof();
  await api.checkAvailable(path);
  const link = document.createElement('a');
  link.href = `/api/v1${withQuery(path, { accept: type })}`;
  // The service names its files; this makes the browser save a PDF instead of showing it.
  link.download = name;
  link.click();
}

export const downloadCsv = (path: string, name: string): Promise<void> => downloadFile(path, name, 'text/csv');

/** Saves data of the page as a file. */
export const downloadJson = (content: object, name: string): void =>
  saveBlob(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), name);

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
