// A trace that is not where it was looked for: the user says where it is.
import { el, setText } from '../../base/dom';
import { say } from '../../base/messages';
import { listedFiles, pickedFiles, placeIn } from '../../engine/fleet/folders';
import { findTraces, takeTrace } from '../../state/fleet/trace';
import { attempt } from '../../state/failures';
import type { Context } from '../../state/state';
import { pickFolder } from '../start/fleet_folder';
import { FLEET_CHANGED } from '../../state/fleet/open';

export function missingBar(context: Context): HTMLElement {
  const { state, frame } = context;
  const words = el('span', {});
  const file = el('input', {
    id: 'fleet-missing-file',
    type: 'file',
    class: 'visually-hidden',
    tabindex: -1,
    'aria-label': say('fleet-pick-file'),
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) takeTrace(context, chosen);
      // Emptied, so that choosing the same file again is a change again.
      file.value = '';
    },
  });
  const folder = () =>
    attempt(
      context,
      say('not-opened'),
      pickFolder().then((picked) => {
        if (picked) findTraces(context, placeIn('kind' in picked ? pickedFiles(picked) : listedFiles(picked)));
      }),
    );
  const bar = el(
    'div',
    { id: 'fleet-missing', class: 'fleet-missing', role: 'alert' },
    words,
    el('button', { id: 'fleet-pick-folder', class: 'button outlined', type: 'button', onclick: folder }, say('fleet-pick-folder')),
    el('button', { id: 'fleet-pick-file', class: 'button outlined', type: 'button', onclick: () => file.click() }, say('fleet-pick-file')),
    file,
  );
  frame.onDom([FLEET_CHANGED], () => {
    const { fleet } = state;
    bar.hidden = !fleet?.missing || !fleet.is_shown;
    if (fleet?.missing) setText(words, say('fleet-missing', { file: fleet.missing.path }));
  });
  return bar;
}
