// Share: the page, the trace and the view as one HTML file.
import { el, icon } from '../../base/dom';
import { plural } from '../../base/format';
import { exportPage } from '../../engine/export';
import { attempt, showError } from '../../state/failures';
import { Changed } from '../../state/frame';
import { announce, type Context } from '../../state/state';
import { encodeView, viewNote } from '../../state/opened/url';
import { download } from '../shared/copy';
import { ICONS } from '../shared/icons';

export function shareButton(context: Context): HTMLElement {
  const button = el(
    'button',
    {
      class: 'button primary',
      type: 'button',
      title: 'Save this page with its trace and view as one HTML file that opens anywhere, without a network',
      onclick: () => {
        button.disabled = true;
        const shared = share(context).finally(() => {
          button.disabled = false;
        });
        attempt(context, 'Not saved', shared);
      },
    },
    icon(ICONS.share),
    'Share',
  );
  return button;
}

async function share(context: Context): Promise<void> {
  const { state, version, page, engine } = context;
  const note = viewNote(state);
  if (!state.trace || !note) return;
  const { summary, options } = state.trace;
  const first = summary.files[0]?.name ?? 'trace';
  try {
    const session = await engine.sessionBytes();
    const blob = await exportPage(page, {
      version,
      view: encodeView(note),
      options,
      name: `${first}.steplens`,
      session,
    });
    const name = `${first.replace(/\.(pb|gz|pbtxt)\b/g, '')}.steplens.html`;
    download(blob, name);
    announce(context, `Saved ${name} with ${plural(summary.files.length, 'file')}`, Changed.notice);
  } catch (thrown) {
    showError(context, 'Not saved', thrown);
  }
}
