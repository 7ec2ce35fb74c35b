// The page in the output of a cell, in a frame that can reach nothing of the notebook; what it says of its selection goes to Python.
function render({ model, el }) {
  const frame = document.createElement('iframe');
  frame.title = 'Steplens';
  frame.setAttribute('sandbox', 'allow-scripts');
  const setHeight = () => {
    frame.style.cssText = `width: 100%; height: ${model.get('height')}px; border: 1px solid #8888`;
  };
  const heard = ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    if (data?.steplens === 'loaded') frame.contentWindow.postMessage({ steplens: 'follow' }, '*');
    if (data?.steplens !== 'selected') return;
    const { op, range, step } = data;
    model.set('op', op);
    model.set('range', range && [range.start_ns, range.end_ns]);
    model.set('step', step);
    model.save_changes();
  };
  setHeight();
  model.on('change:height', setHeight);
  addEventListener('message', heard);
  frame.srcdoc = model.get('page');
  el.append(frame);
  return () => {
    removeEventListener('message', heard);
    model.off('change:height', setHeight);
  };
}

export default { render };
