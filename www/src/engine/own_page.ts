// Where this page's own parts are: as files in its folder, or inside the one document that is everything.
//
// Hosted: scripts, style.css and the core lie in one folder. As a single file (from disk, or an export): app, looks and core are
// packed in script elements, a small script starts the app, and traces may follow in others like them.
import { LANGUAGE } from '../base/messages';
import { textsScript } from '../base/other_texts';
import { decode, decodeAny } from './base64';
import { compiled } from './core_module';
import { takeWorker } from './early';
import { EXPORT_ELEMENT, FILE_CLASS, OTHER_ELEMENT, OTHER_FILE_CLASS, WASM_ELEMENT } from './elements';
import type { OpenOptions } from './protocol';
import { unpacked } from './unpacked';

export interface OwnPage {
  /** Starts a worker; the first one may have been started before. */
  worker(): Worker | Promise<Worker>;
  /** The core, compiled; null where workers load it themselves. */
  core: Promise<WebAssembly.Module> | null;
  /** The address of a file in the folder of the page; null where the page is a single file. */
  fileUrl(name: string): string | null;
}

/** Call while the app's script runs for the first time: only then does the document of a single file say which script it is. */
export function ownPage(): OwnPage {
  const script = document.currentScript as HTMLScriptElement | null;
  const packed = document.getElementById(WASM_ELEMENT);
  if (!packed) {
    // Hosted, all scripts lie in the folder of the page. In the single file there is no such address.
    const fileUrl = (name: string) => new URL(name, import.meta.url).href;
    return {
      worker: () => takeWorker(fileUrl, LANGUAGE),
      core: null,
      fileUrl,
    };
  }
  return {
    // The same script as the page, which knows by the missing document what it is.
    worker: () => {
      // The address lives as long as the page: the worker starts others of it.
      return new Worker(URL.createObjectURL(new Blob([textsScript(), script?.textContent ?? ''], { type: 'text/javascript' })));
    },
    core: compiled(unpacked(decode(packed?.textContent ?? ''), 'application/wasm')),
    fileUrl: () => null,
  };
}

/** What an exported page carries besides the page: the traces and how they were shown. */
export interface Carried {
  view: string;
  options: OpenOptions;
  sources: Promise<{ name: string; blob: Blob }[]>;
}

interface ExportNote {
  view: string;
  options: OpenOptions;
  files: { name: string; bytes: number }[];
}

/** The traces inside `page`, or null where there are none. */
export const carried = (page: Document = document): Carried | null => carriedAs(page, EXPORT_ELEMENT, FILE_CLASS);

/** The trace that these are compared with. */
export const carriedOther = (page: Document = document): Carried | null => carriedAs(page, OTHER_ELEMENT, OTHER_FILE_CLASS);

function carriedAs(page: Document, element: string, file_class: string): Carried | null {
  const note_element = page.getElementById(element);
  if (!note_element) return null;
  const note = JSON.parse(note_element.textContent ?? '') as ExportNote;
  const elements = [...page.querySelectorAll<HTMLElement>(`script.${file_class}`)];
  const sources = Promise.all(
    note.files.map(async (file, index) => ({
      name: file.name,
      blob: await traceOf(elements[index]?.textContent ?? ''),
    })),
  );
  return { view: note.view, options: note.options, sources };
}

/** The trace in `letters`. Where they are damaged, what is left of it as it is packed: the core opens what can be read, and says what is missing. */
async function traceOf(letters: string): Promise<Blob> {
  const packed = decodeAny(letters);
  return unpacked(packed)
    .blob()
    .catch(() => new Blob([packed]));
}
