import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, pageStyle, textOn } from './page-style.ts';

test('text on every accent color has a contrast of at least 4.5:1', () => {
  const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(fc.property(colors, (color) => contrast(color, textOn(color)) >= 4.5));
});

test('the contrast of black and white is 21:1, and the worst gray is readable', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  const grays = Array.from({ length: 256 }, (_none, value) => `#${value.toString(16).padStart(2, '0').repeat(3)}`);
  expect(Math.min(...grays.map((gray) => contrast(gray, textOn(gray))))).toBeGreaterThan(4.5);
});

test('the style sheet names the accent and its text color', () => {
  expect(pageStyle('#ffee00')).toContain('--accent: #ffee00; --on-accent: #000000');
});
