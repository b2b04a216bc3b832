const shape = /^rm[cv]_([\w-]{8})/;

/**
 * A click ID contains its creation time: its first eight characters are 48 bits of time. As text of six bytes they compare like the number.
 */
export function timeInClick(click: string): string | null {
  const encoded = shape.exec(click)?.[1];
  return encoded === undefined ? null : atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
}
