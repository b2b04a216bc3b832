import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF of ours: its fonts are the standard ones, so that the bytes are the characters. A carriage return before `endstream` is
 * a byte of the compressed text.
 */
export function textOfPdf(pdf: Buffer): string {
  const latin = pdf.toString('latin1');
  const streams = [...latin.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, body = '']) => inflated(Buffer.from(body, 'latin1')));
  return streams
    .flatMap((stream) => [...stream.matchAll(/\[([^\]]*)\]\s*TJ/g)])
    .map(([, shown = '']) =>
      [...shown.matchAll(/<([0-9a-f]*)>/gi)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    )
    .join('\n');
}

function inflated(body: Buffer): string {
  try {
    return inflateSync(body).toString('latin1');
  } catch {
    return '';
  }
}
