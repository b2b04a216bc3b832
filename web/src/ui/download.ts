import { api } from '../api/client.ts';
import { withQuery } from './search-params.ts';

export type FileType = 'text/csv' | 'application/pdf';

/**
 * Downloads through a link: the browser streams the file to disk, so that 100,000 lines are never in memory, and shows the progress.
 * The check comes first because a browser shows no reason for a failed download.
 */
export async function downloadFile(path: string, name: string, type: FileType, needsProof = false): Promise<void> {
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
export function downloadJson(content: object, name: string): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
