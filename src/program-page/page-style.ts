/** Colors as `#rrggbb`, and the style sheet of the public program page. */

/**
 * Black or white, whichever has more contrast on a color. The better of the two always has at least 4.58:1, more than the 4.5:1 that WCAG
 * requires, so every color of a merchant is readable.
 */
export const textOn = (color: string): '#000000' | '#ffffff' =>
  contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff';

/** The contrast ratio of WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green, and blue from 0 to 255. */
export const channelsOf = (color: string): readonly number[] => [1, 3, 5].map((from) => Number.parseInt(color.slice(from, from + 2), 16));

/** `accent` is from the database, whose constraint permits nothing but `#rrggbb`. */
export const pageStyle = (accent: string): string => `
:root { color-scheme: light dark; --page: #f7f9f9; --sheet: #fff; --line: #d5dcde; --text: #1c2529; --quiet: #536169;
  --accent: ${accent}; --on-accent: ${textOn(accent)} }
@media (prefers-color-scheme: dark) { :root { --page: #0f1518; --sheet: #171f24; --line: #35424a; --text: #e6ebed; --quiet: #a5b2b9 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
.column { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem }
header { margin-bottom: 1.5rem; padding: 2.5rem 0; background: var(--accent); color: var(--on-accent) }
header img { display: block; max-width: 12rem; max-height: 5rem; margin: 0 0 1.5rem; padding: .5rem; border-radius: .5rem;
  background: #fff }
header p { margin: .25rem 0 0 }
header .button { margin-top: 1.5rem; background: var(--on-accent); color: var(--accent) }
h1 { margin: 0; font-size: clamp(1.75rem, 5vw, 2.5rem); line-height: 1.2 }
h2 { margin: 0 0 .75rem; font-size: 1.25rem; line-height: 1.3 }
h3 { margin: 1.25rem 0 .25rem; font-size: 1rem }
main.column { padding-top: 3rem }
section { margin: 0 0 1rem; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--sheet) }
section > :last-child { margin-bottom: 0 }
p, ul, table { margin: 0 0 .75rem }
ul { padding-left: 1.25rem }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400 }
th + th, td { padding-left: 1rem; text-align: right; white-space: nowrap }
thead th, footer, .note { color: var(--quiet); font-size: .875rem }
a { color: inherit }
.button { display: inline-block; padding: .75rem 1.25rem; border: 1px solid var(--on-accent); border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none }
:focus-visible { outline: 3px solid currentcolor; outline-offset: 3px }
footer { padding-bottom: 2.5rem }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none }
nav a { display: inline-block; padding: .25rem 0 }
nav [aria-current] { font-weight: 600; text-decoration: none }
`;
