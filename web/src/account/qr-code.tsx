import { encode } from 'uqr';

/**
 * A QR code, drawn here: what it says is a secret, and no service of others may draw it. Dark on white in both schemes, or
 * cameras fail.
 */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={shownPixels} height={shownPixels} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}

/** Four modules of white around it, as the standard asks. */
const quietZone = 4;
const shownPixels = 196;
