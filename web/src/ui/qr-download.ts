import { saveBlob } from './export-buttons.tsx';
import { drawQrCode } from './qr-code.tsx';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** For print: sharp at any size. */
export function downloadQrSvg(text: string, name: string): void {
  const { path, size } = drawQrCode(text);
  const pixels = String(size * unitPixels);
  const svg = svgElement('svg', { viewBox: `0 0 ${size} ${size}`, width: pixels, height: pixels, 'shape-rendering': 'crispEdges' });
  svg.append(svgElement('path', { fill: '#fff', d: `M0 0h${size}v${size}H0z` }), svgElement('path', { d: path }));
  saveBlob(new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' }), name);
}

function svgElement(kind: 'svg' | 'path', attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(svgNamespace, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export async function downloadQrPng(text: string, name: string): Promise<void> {
  const { path, size } = drawQrCode(text);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [size * unitPixels, size * unitPixels];
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas');
  context.scale(unitPixels, unitPixels);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- the rule takes the canvas for an array
  context.fill(new Path2D(path));
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('the browser could not create the picture');
  saveBlob(blob, name);
}

/** A whole number, so that the edges stay sharp; the picture of a link has about 700 pixels. */
const unitPixels = 20;
