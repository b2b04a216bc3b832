/** The types of files that a program can have, with the extension of each. SVG and HTML are left out, because they can run scripts. */
export const assetFileTypes = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
} as const;
export type AssetFileType = keyof typeof assetFileTypes;

/** The type by the first bytes, because names and declared types can be wrong; null for every other file. */
export function detectFileType(bytes: Buffer): AssetFileType | null {
  const starts = (text: string, from = 0) => bytes.toString('latin1', from, from + text.length) === text;
  if (starts('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (starts('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('%PDF-')) return 'application/pdf';
  return null;
}

const baseLengthMax = 100;
const knownExtension = /\.(?:png|jpe?g|webp|gif|pdf)$/i;

/** A name that is safe on every file system and whose extension is that of the type. */
export function fileNameFor(name: string, type: AssetFileType): string {
  const base = name
    .replace(knownExtension, '')
    .replace(/[/\\:*?"<>|%;]+/g, '-')
    .replace(/^[\s.-]+|[\s.]+$/g, '');
  return `${[...base].slice(0, baseLengthMax).join('') || 'file'}.${assetFileTypes[type]}`;
}
