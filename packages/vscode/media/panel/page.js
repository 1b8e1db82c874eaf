// The page of the settings panel. It knows no key: what a person types goes out, and only "set" or "not set" comes back.
// All texts come in as text and are shown as text.
(() => {
  const editor = acquireVsCodeApi();
  const ITEMS = ['baseUrl', 'model', 'temperature', 'maxTokens', 'systemPromptBase', 'augmentBaseUrl'];
  const KEYS = ['apiKey', 'augmentToken'];
  const SWITCH = 'searchWithRipgrep';
  const find = (id) => document.getElementById(id);
  /** Fields that the person changed and that were not saved yet keep what was typed. */
  const touched = new Set();

  const valuesNow = () => ({
    ...Object.fromEntries([...ITEMS, ...KEYS].map((name) => [name, find(name).value])),
    [SWITCH]: find(SWITCH).checked,
  });
  const send = (message) => editor.postMessage(message);

  function showState(state) {
    const { values, isSet, serverText, isServerWell, augmentText, canConnect, canDisconnect, chatText } = state;
    if (!touched.has(SWITCH)) find(SWITCH).checked = state[SWITCH];
    for (const name of ITEMS) if (!touched.has(name)) find(name).value = values[name] ?? '';
    for (const name of KEYS) {
      find(`${name}-state`).textContent = isSet[name] ? document.body.dataset.set : document.body.dataset.notSet;
      find(`${name}-state`).classList.toggle('is-set', isSet[name]);
      find(`${name}-remove`).hidden = !isSet[name];
    }
    find('server').textContent = serverText;
    find('server').classList.toggle('bad', !isServerWell);
    find('augment').textContent = augmentText;
    find('chat').textContent = chatText;
    document.querySelector('[data-command="dragoman.connectAugment"]').disabled = !canConnect;
    document.querySelector('[data-command="dragoman.disconnect"]').disabled = !canDisconnect;
  }

  function showProblems(problems) {
    let first;
    for (const name of [...ITEMS, ...KEYS]) {
      const problem = problems[name];
      const place = find(`${name}-problem`);
      place.textContent = problem ?? '';
      place.hidden = problem === undefined;
      if (problem === undefined) find(name).removeAttribute('aria-invalid');
      else find(name).setAttribute('aria-invalid', 'true');
      if (problem !== undefined) first ??= find(name);
    }
    // In the order of the page, which is not the order above.
    const invalid = document.querySelector('[aria-invalid="true"]');
    (invalid ?? first)?.focus();
  }

  function showTold({ kind, text, isSaved }) {
    const told = find('told');
    told.textContent = text;
    told.className = kind;
    for (const id of ['save', 'test']) find(id).disabled = kind === 'busy';
    // Whoever pressed the keys for it may be looking at what comes after the form.
    if (document.querySelector('[aria-invalid="true"]') === null) told.scrollIntoView({ block: 'nearest' });
    if (isSaved === true) {
      touched.clear();
      for (const name of KEYS) find(name).value = '';
    }
  }

  window.addEventListener('message', ({ data }) => {
    if (data?.type === 'state') showState(data);
    else if (data?.type === 'problems') showProblems(data.problems);
    else if (data?.type === 'told') showTold(data);
  });
  document.addEventListener('input', ({ target }) => touched.add(target.id));
  find('settings').addEventListener('submit', (event) => {
    event.preventDefault();
    send({ type: 'save', values: valuesNow() });
  });
  find('test').addEventListener('click', () => send({ type: 'test', values: valuesNow() }));
  for (const name of KEYS)
    find(`${name}-remove`).addEventListener('click', () => {
      find(name).focus();
      send({ type: 'remove', item: name });
    });
  for (const button of document.querySelectorAll('[data-command]'))
    button.addEventListener('click', () => send({ type: 'run', command: button.dataset.command }));
  window.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    find('settings').requestSubmit();
  });
  send({ type: 'ready' });
})();
