// Which kind of folder is watched.
import type { Place } from '../../engine/watched/place';
import { listedFolder } from '../../engine/watched/listed';
import { pickedFolder } from '../../engine/watched/picked';
import type { Context } from '../../state/state';
import { watch } from '../../state/watched/watch';

type Folder = FileSystemDirectoryHandle | readonly File[] | Place;

const isHandle = (folder: Folder): folder is FileSystemDirectoryHandle => 'kind' in folder;
const isFiles = (folder: Folder): folder is readonly File[] => Array.isArray(folder);

/** Watches a folder that the user picked, the files of one, or the one that the page was served with. */
export function watchPicked(context: Context, folder: Folder): void {
  watch(context, (engine) => {
    if (isFiles(folder)) return listedFolder(folder);
    return isHandle(folder) ? pickedFolder(folder, (request) => engine.ask('requestFile', request)) : folder;
  });
}
