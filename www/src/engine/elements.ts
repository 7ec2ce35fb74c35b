// The elements of the single file: what its starter, the page and the traces that it shares find each other by.

export const WASM_ELEMENT = 'steplens-wasm';
export const EXPORT_ELEMENT = 'steplens-export';
export const FILE_CLASS = 'steplens-file';
/** The same of the trace that the shared one is compared with. */
export const OTHER_ELEMENT = 'steplens-other';
export const OTHER_FILE_CLASS = 'steplens-other-file';
/** What the single file's starter put into the document. */
export const UNPACKED_CLASS = 'steplens-unpacked';
