// Share: the page, the trace and the view as one HTML file.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
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
      title: say('share-title'),
      onclick: () => {
        button.disabled = true;
        const shared = share(context).finally(() => {
          button.disabled = false;
        });
        attempt(context, say('not-saved'), shared);
      },
    },
    icon(ICONS.share),
    say('share'),
  );
  return button;
}

async function share(context: Context): Promise<void> {
  const { state, version, page, engine, later } = context;
  const note = viewNote(state);
  if (!state.trace || !note) return;
  const { summary, options } = state.trace;
  const first = summary.files[0]?.name ?? 'trace';
  try {
    const { exportPage } = await later.get();
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
    announce(context, say('saved-file', { name }), Changed.notice);
  } catch (thrown) {
    showError(context, say('not-saved'), thrown);
  }
}
