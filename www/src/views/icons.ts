// The page's icons: line paths in a box of 16 by 16.
export const ICONS = {
  open: 'M2 12.5v-9h4l1.5 2h6.5v7z',
  sample: 'M3 4h6M5 8h8M3 12h5',
  share: 'M8 2v8M5 5l3-3 3 3M3 9v4.5h10V9',
  help: 'M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.6M8 12v.2',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.2v1.4M8 13.4v1.4M1.2 8h1.4M13.4 8h1.4M3.2 3.2l1 1M11.8 11.8l1 1M12.8 3.2l-1 1M4.2 11.8l-1 1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  auto: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2v11.6M8 5.5h4.7M8 8h5.7M8 10.5h4.7',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3l3.4 3.4',
  close: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  tall: 'M3 4.5h10M3 11.5h10M8 6.5v3M6.8 7.3L8 6.1l1.2 1.2M6.8 8.7L8 9.9l1.2-1.2',
  fold: 'M3 3h10M3 13h10M8 5v1.6M8 11V9.4M6.5 6l1.5 1.4L9.5 6M6.5 10L8 8.6 9.5 10',
  smaller: 'M4 8h8',
  larger: 'M4 8h8M8 4v8',
} as const;
