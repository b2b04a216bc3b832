import { Button } from './button.tsx';
import { useState } from 'react';
import { notifyDownloadFailed, saveBlob } from './export-buttons.tsx';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

type DownloadPictureButtonProps = {
  /** What a screen reader adds where a page has several such buttons. */
  readonly subject: string;
  readonly download: () => Promise<void>;
};

/** Downloads a chart as a picture. The code that draws it loads when it is needed. */
export function DownloadPictureButton({ subject, download }: DownloadPictureButtonProps) {
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    await download().catch(notifyDownloadFailed);
    setIsSaving(false);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={16} />}
      aria-label={t.export_buttons.export_as_png({ subject })}
      loading={isSaving}
      onClick={() => void save()}
    >
      {t.export_buttons.png}
    </Button>
  );
}

type DownloadRowsButtonProps = {
  readonly subject: string;
  readonly name: string;
  /** The titles first. Only for numbers and days, which need no quotes. */
  readonly rows: () => Rows;
};
type Rows = ReadonlyArray<ReadonlyArray<string | number | bigint>>;

/** Downloads rows that the page has completely as CSV. */
export function DownloadRowsButton({ subject, name, rows }: DownloadRowsButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={16} />}
      aria-label={t.export_buttons.export_as_csv({ subject })}
      onClick={() => saveBlob(new Blob([linesOf(rows())], { type: 'text/csv' }), name)}
    >
      {t.export_buttons.csv}
    </Button>
  );
}

const linesOf = (rows: Rows): string => rows.map((cells) => `${cells.join(',')}\r\n`).join('');
