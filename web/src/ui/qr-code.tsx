import { encode } from 'uqr';

/**
 * Drawn in the browser, because it contains a secret that no external service may see. Dark on white in both color schemes, or cameras
 * fail.
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

/** The standard asks for four modules of white. */
const quietZone = 4;
const shownPixels = 196;
