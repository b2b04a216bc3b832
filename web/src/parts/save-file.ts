import { api } from '../api.ts';
import { askedOf } from './search.ts';

export type FileType = 'text/csv' | 'application/pdf';

/**
 * Lets the browser fetch the list as a file: it writes to the disk what comes, so that a hundred thousand lines are never in the
 * page's memory, and shows how far it is. Asked before whether it would come, because a browser tells a refusal in no words.
 */
export async function saveFile(path: string, name: string, type: FileType, isGuarded = false): Promise<void> {
  if (isGuarded) await api.proveFirst();
  await api.wouldCome(path);
  const link = document.createElement('a');
  link.href = `/api/v1${askedOf(path, { accept: type })}`;
  // The service names its files; where it would have one shown instead (a PDF) this stores it, under this name.
  link.download = name;
  link.click();
}

export const saveCsv = (path: string, name: string): Promise<void> => saveFile(path, name, 'text/csv');

/** What the page holds already, as a file. */
export function saveJson(content: object, name: string): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
