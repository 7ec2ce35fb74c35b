// The elements of the single file: what its starter, the page and the traces that it shares find each other by.

export const WASM_ELEMENT = 'steplens-wasm';
export const EXPORT_ELEMENT = 'steplens-export';
export const FILE_CLASS = 'steplens-file';
/** What the single file's starter put into the document. */
export const UNPACKED_CLASS = 'steplens-unpacked';
