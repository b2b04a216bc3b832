import type { ReactNode } from 'react';

/** Line icons on a grid of 24. They are hidden from screen readers: the text next to them is read. */
const drawings = {
  home: <path d="M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4.5v-5h-5v5H5a1 1 0 0 1-1-1z" />,
  plug: <path d="M9 4v5m6-5v5M6.5 9h11v3a5.5 5.5 0 0 1-11 0zM12 17.5V21" />,
  program: <path d="m12 4 8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4" />,
  people: (
    <>
      <circle cx="9" cy="8.5" r="3.5" />
      <path d="M2.8 20c.4-3.6 2.8-5.5 6.2-5.5s5.8 1.9 6.2 5.5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M17.8 14.9c2 .8 3.2 2.5 3.5 5.1" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="M11 12.5 19.5 4M16 7.5l3 3" />
    </>
  ),
  log: <path d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.5M4 12h.5M4 17.5h.5" />,
  send: <path d="M20.5 3.5 3.5 10l7 3.5 3.5 7zM20.5 3.5l-10 10" />,
  mail: <path d="M4 6h16v12H4zM4 7l8 6.5L20 7" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.2V12l3.2 2" />
    </>
  ),
  store: (
    <path d="M4.5 10.5V20h15v-9.5M3.5 9 5 4h14l1.5 5a2.6 2.6 0 0 1-4.3 1.3 3 3 0 0 1-4.2 0 3 3 0 0 1-4.2 0A2.6 2.6 0 0 1 3.5 9zM9.5 20v-5h5v5" />
  ),
  person: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c.6-4 3.4-6 7.5-6s6.9 2 7.5 6" />
    </>
  ),
  coins: (
    <>
      <circle cx="9" cy="9.5" r="5.5" />
      <path d="M16.8 9.6a5.5 5.5 0 1 1-6.6 7.6M9 7v5" />
    </>
  ),
  repeat: <path d="M5 11V9.5A3.5 3.5 0 0 1 8.5 6H19m-3-3 3 3-3 3M19 13v1.5a3.5 3.5 0 0 1-3.5 3.5H5m3 3-3-3 3-3" />,
  pulse: <path d="M3 12.5h4l2.5-7 5 13 2.5-6h4" />,
  invoice: <path d="M6 3.5h12v17l-2.5-1.5L12 20.5 8.5 19 6 20.5zM9.5 8h5M9.5 12h5" />,
  book: <path d="M5 5.5A1.5 1.5 0 0 1 6.5 4H19v16H6.5A1.5 1.5 0 0 1 5 18.5zM5 17.5A1.5 1.5 0 0 1 6.5 16H19M9 8h6" />,
  settings: (
    <>
      <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
      <circle cx="15.5" cy="7" r="2.5" />
      <circle cx="8.5" cy="17" r="2.5" />
    </>
  ),
  download: <path d="M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 20h14" />,
  left: <path d="m14.5 6-6 6 6 6" />,
  link: <path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.2-1.2" />,
  coupon: <path d="M4 7h16v3.5a1.5 1.5 0 0 0 0 3V17H4v-3.5a1.5 1.5 0 0 0 0-3zM10 7v10" />,
  squares: <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5z" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  copy: <path d="M9 9h11v11H9zM5 15H4V4h11v1" />,
  plus: <path d="M12 5v14M5 12h14" />,
  down: <path d="m6 9.5 6 6 6-6" />,
  right: <path d="m9.5 6 6 6-6 6" />,
  search: <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.3 15.3 20.5 20.5" />,
  bell: <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 18.5a2 2 0 0 0 4 0" />,
  flask: <path d="M9.5 4h5M10.5 4v6l-5 8.5A1 1 0 0 0 6.4 20h11.2a1 1 0 0 0 .9-1.5l-5-8.5V4M8.3 14.5h7.4" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  'eye-off': (
    <path d="M4 4l16 16M9.2 6A8.6 8.6 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.4M6.2 8.2A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 3.800-.8" />
  ),
  'sign-out': <path d="M14 4H5v16h9M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5" />,
  alert: <path d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.3" />,
  shield: <path d="M12 3.5 19.5 6v6c0 4.3-3 7.3-7.5 8.5-4.5-1.2-7.5-4.2-7.5-8.5V6zM9 12l2.2 2.2L15.2 10" />,
} as const satisfies Readonly<Record<string, ReactNode>>;

export type IconName = keyof typeof drawings;

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  );
}

/** The Tributary logo: streams that join. */
export function Logo({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#0d6475" />
      <g fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M8 7c0 6 8 6 8 12v6" />
        <path d="M24 7c0 6-8 6-8 12" />
        <path d="M16 7v4" strokeOpacity=".75" />
      </g>
    </svg>
  );
}
