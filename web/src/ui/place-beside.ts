/** Where a floating box goes: above or below its anchor, aligned with its center, its start, or its end. */
export type Placement = `${'top' | 'bottom'}-${'center' | 'start' | 'end'}`;

const gap = 6;
/** The least distance from the edges of the window. */
const margin = 8;

/** Places a box with `position: fixed` beside its anchor: on the other side where there is no space, and never outside of the window. */
export function placeBeside(anchor: Element, box: HTMLElement, placement: Placement): void {
  const target = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const [side, align] = placement.split('-');
  const above = target.top - gap - height;
  const below = target.bottom + gap;
  const fitsAbove = above >= margin;
  const fitsBelow = below + height <= window.innerHeight - margin;
  const top = side === 'top' ? (fitsAbove || !fitsBelow ? above : below) : fitsBelow || !fitsAbove ? below : above;
  const wanted = align === 'start' ? target.left : align === 'end' ? target.right - width : target.left + target.width / 2 - width / 2;
  box.style.top = `${clamp(top, window.innerHeight - height - margin)}px`;
  box.style.left = `${clamp(wanted, window.innerWidth - width - margin)}px`;
}

const clamp = (value: number, most: number): number => Math.max(margin, Math.min(value, most));
