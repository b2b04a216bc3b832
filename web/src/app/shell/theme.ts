import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { t } from '../../ui/messages.ts';

/**
 * One teal accent on slightly tinted grays. Filled parts use shade 8 and dimmed text is darker than Mantine's, because its defaults
 * miss the contrast of 4.5 that small text needs.
 */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 8 },
  colors: {
    accent: ['#e8f4f6', '#d0e8ec', '#a5d3dc', '#8fd0db', '#63bccb', '#3a9fb1', '#278b9d', '#1a7a8c', '#0d6475', '#084d5b'],
    dark: ['#dfe5e7', '#c3ccd0', '#a3afb5', '#6f7c83', '#333f46', '#2a353b', '#1b2429', '#141b1f', '#0f1518', '#0a0f11'],
    gray: ['#f7f9f9', '#f0f3f3', '#e6eaeb', '#dbe1e2', '#c9d1d3', '#a9b4b7', '#7f8c90', '#556269', '#364147', '#1c2529'],
  },
  black: '#1c2529',
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  fontFamily:
    '"Geist Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, ' +
    // Japanese glyphs. The fonts before have none, and the browser's own fallback may choose Chinese forms.
    '"Hiragino Sans", "Yu Gothic UI", Meiryo, "Noto Sans CJK JP", "Noto Sans JP", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { underline: 'always', inherit: true } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120 }, closeButtonProps: { 'aria-label': t.drawer.close } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t.drawer.close } } },
    Tooltip: { defaultProps: { multiline: true, maw: 320, withArrow: true, events: { hover: true, focus: true, touch: true } } },
  },
});

/**
 * The sizes of text below the headings, which are in the theme: labels of charts and chips; notes beside a value; text; names and short
 * answers; key values.
 */
const textSizes = {
  '--text-label': '12px',
  '--text-note': '13px',
  '--text-body': '14px',
  '--text-name': '16px',
  '--text-value': '20px',
};

/** Steps of space: within a line, between lines, between parts of a section, and between sections. */
const spaces = {
  '--space-1': '4px',
  '--space-2': '8px',
  '--space-3': '12px',
  '--space-4': '16px',
  '--space-5': '20px',
  '--space-6': '24px',
  '--space-8': '32px',
  '--space-12': '48px',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { ...textSizes, ...spaces },
  light: {
    '--mantine-color-dimmed': '#556269',
    '--mantine-color-placeholder': '#6b787d',
    '--mantine-color-default-border': '#c9d1d3',
    '--mantine-color-error': '#b42318',
    '--mantine-color-red-light-color': '#b42318',
    '--mantine-color-accent-light-color': '#0d6475',
    '--paper': '#f7f9f9',
    '--surface': '#ffffff',
    '--line': '#e1e6e7',
    '--accent-text': '#0d6475',
    '--accent-soft': '#e8f4f6',
    '--good': '#1b6e3c',
    '--good-soft': '#e7f5ec',
    '--wait': '#8a5300',
    '--wait-soft': '#fcf2de',
    '--bad': '#b42318',
    '--bad-soft': '#fdeceb',
  },
  dark: {
    '--mantine-color-dimmed': '#a3afb5',
    '--mantine-color-placeholder': '#8b989e',
    '--mantine-color-default-border': '#46535a',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-red-light-color': '#ff9d94',
    '--mantine-color-accent-light-color': '#63bccb',
    '--paper': '#0f1518',
    '--surface': '#141b1f',
    '--line': '#2a353b',
    '--accent-text': '#63bccb',
    '--accent-soft': '#17343b',
    '--good': '#7fd6a0',
    '--good-soft': '#16301f',
    '--wait': '#f0c069',
    '--wait-soft': '#34290f',
    '--bad': '#ff9d94',
    '--bad-soft': '#3b1c1a',
  },
});
