/** Our own small set of line icons. Decorative: whatever holds one carries the words. */
const paths = {
  plus: "M12 5v14M5 12h14",
  wrap: "M4 6h16M4 12h12a3 3 0 0 1 0 6h-4M14 15.500l-2.500 2.500 2.500 2.500M4 18h4",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  right: "M9 6l6 6-6 6",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  left: "M15 6l-6 6 6 6",
  menu: "M4 7h16M4 12h16M4 17h16",
  search: "M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.6-4.6",
  copy: "M9 9h10v11H9zM5 15V4h10",
  edit: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5",
  clip: "M19 11l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.3a3 3 0 0 1 4.3 4.3l-7.6 7.6a1.6 1.6 0 0 1-2.3-2.3L14 7.4",
  thumbUp: "M7 11v9H4v-9zM7 11l4-7c1.7 0 2.4 1.2 2 3l-.6 3H18a2 2 0 0 1 2 2.4l-1.2 6a2 2 0 0 1-2 1.6H7",
  thumbDown: "M17 13V4h3v9zM17 13l-4 7c-1.7 0-2.4-1.2-2-3l.600-3H6a2 2 0 0 1-2-2.4l1.2-6a2 2 0 0 1 2-1.6H17",
  retry: "M5 12a7 7 0 1 1 2 5M5 12V6.5M5 12h5.5",
  tool: "M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.5-5.5a4 4 0 0 0 5-5L15 12l-3-3z",
  code: "M9 8l-4 4 4 4M15 8l4 4-4 4",
  chart: "M5 20V10M10.5 20V5M16 20v-7M20 20H3",
  grid: "M4 4h7v7H4zM13 4h7v4h-7zM13 10h7v10h-7zM4 13h7v7H4z",
  chat: "M5 5h14v11H11l-4 4v-4H5z",
  shield: "M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6zM9 12l2 2 4-4",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5",
  out: "M14 5H6v14h8M11 12h9M17 9l3 3-3 3",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  expand: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  refresh: "M19 12a7 7 0 1 1-2-5M19 4v4.5h-4.5",
  share: "M8 12l8-5M8 12l8 5M6 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 4.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 15.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  download: "M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14",
  pin: "M9 4h6l-.7 6 3.2 3.5H6.5L9.7 10zM12 13.5V20",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2",
  alert: "M12 4l9 16H3zM12 10v4.5M12 17.3v.2",
  info: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 11v5M12 8v.2",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  key: "M8 12a3.5 3.5 0 1 0 0 .1zM11.5 12H20v3.5M16.5 12v2.5",
  users: "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 19c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5M15.5 5.3a3.5 3.5 0 0 1 0 6.4M17.5 14.9c2 .6 3.2 2 3.6 4.1",
  building: "M5 20V5h9v15M14 9h5v11M3.5 20h17M8 8.5h3M8 12h3M8 15.5h3",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1",
  flask: "M10 4h4M11 4v6l-5.5 8.5A1 1 0 0 0 6.4 20h11.2a1 1 0 0 0 .9-1.5L13 10V4M8 15h8",
  box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  heart: "M3 12h4l2.5-6 4 12 2.5-6h5",
  more: "M5 12a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0M11.1 12a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0M17.2 12a.9.9 0 1 0 1.8 0 .9.9 0 1 0-1.8 0",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  spark: "M12 3l2 6.5L20.5 12 14 14.5 12 21l-2-6.5L3.5 12 10 9.5z",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" class="mark-plate" />
      <path d="M7 13h18M10 13v11M22 13v11M10 19h12" class="mark-bench" />
      <circle cx="20" cy="8.4" r="2" class="mark-light" />
    </svg>
  );
}
