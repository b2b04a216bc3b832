export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

/** The type of an image by its first bytes; null for all other files, such as SVG and HTML. The sender’s own statement does not count. */
export function logoTypeOf(bytes: Buffer): LogoType | null {
  if (startsWith(bytes, 0, pngSignature)) return 'image/png';
  if (startsWith(bytes, 0, jpegSignature)) return 'image/jpeg';
  return startsWith(bytes, 0, Buffer.from('RIFF')) && startsWith(bytes, webpOffset, Buffer.from('WEBP')) ? 'image/webp' : null;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const jpegSignature = Buffer.from('ffd8ff', 'hex');
/** Between the two names is the size of the file. */
const webpOffset = 8;

const startsWith = (bytes: Buffer, offset: number, signature: Buffer): boolean =>
  bytes.subarray(offset, offset + signature.length).equals(signature);
