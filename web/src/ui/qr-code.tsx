import { encode } from 'uqr';

/**
 * Drawn in the browser, because it can contain a secret that no external service may see. Dark on white in both color schemes, or cameras
 * fail.
 */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, size } = drawQrCode(text);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={shownPixels} height={shownPixels} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The dark squares of a code as an SVG path, in a square of `size` units. */
export function drawQrCode(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  return { path: data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join(''), size };
}

/** The standard asks for four modules of white. */
const quietZone = 4;
const shownPixels = 196;
