import { api } from '../api.ts';

/** Asks for a list as a file and hands it to the browser, which stores it like any download. */
export async function saveFile(path: string, name: string, type: 'text/csv' | 'application/pdf'): Promise<void> {
  const url = URL.createObjectURL(await api.file(path, type));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by then; what is never given back stays in memory as long as the page.
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}

const keptMs = 60_000;

export const saveCsv = (path: string, name: string): Promise<void> => saveFile(path, name, 'text/csv');
