// The formats that the page saves, in the order of its dialog, and the messages that are said of them.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

export const SAVE_FORMATS = [
  { word: 'session', name: 'format-session', about: 'format-session-about', in_order_of_file: false },
  { word: 'chrome', name: 'format-chrome', about: 'format-chrome-about', in_order_of_file: false },
  { word: 'perfetto', name: 'format-perfetto', about: 'format-perfetto-about', in_order_of_file: false },
  { word: 'timeline', name: 'format-timeline', about: 'format-timeline-about', in_order_of_file: true },
  { word: 'run-metadata', name: 'format-run-metadata', about: 'format-run-metadata-about', in_order_of_file: true },
  { word: 'tfvis', name: 'format-tfvis', about: 'format-tfvis-about', in_order_of_file: true },
  { word: 'tensorflow-tracer', name: 'format-tensorflow-tracer', about: 'format-tensorflow-tracer-about', in_order_of_file: true },
  { word: 'csv', name: 'format-csv', about: 'format-csv-about', in_order_of_file: false },
  { word: 'parquet', name: 'format-parquet', about: 'format-parquet-about', in_order_of_file: false },
  { word: 'chakra', name: 'format-chakra', about: 'format-chakra-about', in_order_of_file: false },
] as const;
export type SaveFormat = (typeof SAVE_FORMATS)[number]['word'];
