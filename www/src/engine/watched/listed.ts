// A folder as it was when the user chose it: for browsers that cannot follow one.
import { FOLDERS, isOwnFile, type Place } from './place';
import { isCalledLikeTrace } from './trace_names';

/** The files of an `<input webkitdirectory>`, as a watched folder. */
export function listedFolder(chosen: Iterable<File>): Place {
  const files = new Map<string, File>();
  const traces = new Map<string, File>();
  let name = '';
  for (const file of chosen) {
    const [top = '', ...path] = file.webkitRelativePath.split('/');
    const [first = '', second] = path;
    name = top;
    if (isCalledLikeTrace(path[path.length - 1] ?? '') && !path.some((part) => part.startsWith('.'))) traces.set(path.join('/'), file);
    const is_own = path.length === 1 ? isOwnFile(first) : path.length === 2 && FOLDERS.some((folder) => folder === first);
    if (is_own && !(second ?? first).startsWith('.')) files.set(path.join('/'), file);
  }
  return {
    name,
    grows: false,
    list: () => Promise.resolve([...files].map(([path, file]) => ({ path, bytes: file.size, changed: file.lastModified }))),
    read: async (path, from, to) => {
      const bytes = await files.get(path)?.slice(from, to).arrayBuffer();
      return bytes ? new Uint8Array(bytes) : null;
    },
    file: (path) => Promise.resolve(files.get(path) ?? null),
    traces: () =>
      Promise.resolve({
        files: [...traces].map(([path, file]) => ({ path, bytes: file.size, changed: file.lastModified })),
        unread: 0,
      }),
    trace: (path) => Promise.resolve(traces.get(path) ?? null),
    ask: null,
  };
}
