const shape = /^rm[cv]_([\w-]{8})/;

/** A click ID says when it was made: its first eight letters are 48 bits of time. As text of six bytes they compare like the number. */
export function timeInClick(click: string): string | null {
  const letters = shape.exec(click)?.[1];
  return letters === undefined ? null : atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
}
