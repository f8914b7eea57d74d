// The latest errors of whoever signs in. Reports are written by strangers: what they say is shown as text, never as HTML.

const refreshMs = 2_000;

/** The part of the page with this id. */
const part = (id) => document.getElementById(id);

/** An element; `content` is text or nodes, null is left out. */
function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content.filter((piece) => piece !== null));
  return element;
}

/** Writes only what is new: the page stays still, and so does what a reader has selected. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// ── The API ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An answer that says no, in words for the reader. */
class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The browser sends the session cookie along, which no script can read: not this one, and none that gets in here. */
async function api(method, path, body, token) {
  const headers = body ? { 'content-type': 'application/json' } : {};
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const content = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Refusal(answer.status, content.detail);
  return content;
}

// ── Signing in ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Null until the server was asked. */
let isSignedIn = null;

/** With e-mail and password, or with the token of a link. */
async function signIn(credentials) {
  await api('POST', '/auth/session', credentials);
  isSignedIn = true;
}

async function askWhetherSignedIn() {
  try {
    await api('GET', '/auth/me');
    return true;
  } catch (error) {
    if (error.status === 401) return false;
    throw error;
  }
}

/** A link signs in by its fragment, which no server log ever sees; it is taken from the address at once. */
async function useSignInLink() {
  const token = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, '', location.pathname);
  try {
    await signIn({ token });
  } catch (error) {
    // Whoever is signed in already stays so, and is told nothing.
    setText(part('sign-in').querySelector('.problem'), explain(error));
  }
}

function askToSignIn(why) {
  isSignedIn = false;
  setText(part('sign-in').querySelector('.problem'), why);
}

onSubmit(part('sign-in').querySelector('form'), async ({ email, password }) => {
  await signIn({ email, password });
  show();
});

part('sign-out').addEventListener('click', async () => {
  try {
    await api('DELETE', '/auth/session');
    askToSignIn('');
    show();
  } catch (error) {
    setText(part('notice'), explain(error));
  }
});

// ── Invitations ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** What lets an invited member in, until it is used. */
let invitation = null;

/** As a link that signs in: from the address at once. */
function takeInvitation() {
  const token = /^#invitation=(.+)$/.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, '', location.pathname);
  invitation = token;
}

onSubmit(part('invitation').querySelector('form'), async ({ name, password }) => {
  const person = name.trim() === '' ? { password } : { name, password };
  const tokens = await api('POST', '/auth/invitations/accept', { token: invitation, ...person });
  invitation = null;
  try {
    // Tokens are for programs: here the browser keeps a cookie, and they end.
    const { email } = await api('GET', '/auth/me', undefined, tokens.access_token);
    await signIn({ email, password });
    await api('POST', '/auth/logout', undefined, tokens.access_token);
  } catch {
    if (!isSignedIn) askToSignIn('Your password is set. Sign in with it.');
  }
  show();
});

/** Runs what a form is for; what goes wrong is told in the form. */
function onSubmit(form, run) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const problem = form.querySelector('.problem');
    problem.textContent = '';
    try {
      await run(Object.fromEntries(new FormData(form)));
      form.reset();
    } catch (error) {
      problem.textContent = explain(error);
    }
  });
}

function explain(error) {
  return error instanceof Refusal ? error.message : 'The server can not be reached.';
}

// ── What is shown, and how it stays fresh ───────────────────────────────────────────────────────────────────────────

let timer;
/** Counts what was begun: an answer that comes after the reader went elsewhere is not shown. */
let turn = 0;

/** Shows what the address says, and goes on refreshing it. */
async function show({ moveFocus = true } = {}) {
  clearTimeout(timer);
  const mine = ++turn;
  const isCurrent = () => mine === turn;
  const groupId = /^#group=(\d+)$/.exec(location.hash)?.[1];
  try {
    if (invitation !== null) {
      open('invitation', 'Welcome', moveFocus, part('invitation').querySelector('[name=name]'));
      return;
    }
    isSignedIn ??= await askWhetherSignedIn();
    if (!isCurrent()) return;
    if (!isSignedIn) open('sign-in', 'Sign in', moveFocus);
    else if (groupId) await showGroup(groupId, isCurrent, moveFocus);
    else await showList(isCurrent, moveFocus);
    if (isCurrent()) setText(part('notice'), '');
  } catch (error) {
    if (!isCurrent()) return;
    if (error.status === 401) {
      askToSignIn('Your sign-in has ended. Sign in again.');
      open('sign-in', 'Sign in', moveFocus);
    } else if (error.status === 404 && groupId) {
      location.hash = '';
    } else {
      setText(part('notice'), `${explain(error)} Trying again…`);
    }
  }
  if (isCurrent() && !document.hidden && isSignedIn !== false) {
    timer = setTimeout(() => show({ moveFocus: false }), refreshMs);
  }
}

/** Shows one of the page's views. With the view, the reader's focus moves to its heading, or to `focus`. */
function open(id, title, moveFocus, focus) {
  document.title = title;
  part('sign-out').hidden = id === 'sign-in' || id === 'invitation';
  const view = part(id);
  if (!view.hidden) return;
  for (const main of document.querySelectorAll('main')) main.hidden = main !== view;
  scrollTo(0, 0);
  if (moveFocus) (focus ?? view.querySelector('[name=email]') ?? view.querySelector('h1')).focus();
}

// ── The list ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The rows on the page, by the id of their group. */
const rows = new Map();

async function showList(isCurrent, moveFocus) {
  const [projects, { items, total }] = await Promise.all([api('GET', '/projects'), api('GET', '/errors?size=50')]);
  if (!isCurrent()) return;
  setText(part('total'), total > items.length ? `The latest ${items.length} of ${total}` : '');
  const names = new Map(projects.length > 1 ? projects.map(({ id, name }) => [id, name]) : []);
  updateRows(items, names);
  updateConnect(projects, items.length === 0);
  const active = items.filter(({ status }) => status === 'active').length;
  // Whoever comes back from a group goes on where they were.
  open('list', active ? `(${active}) Errors` : 'Errors', moveFocus, rows.get(Number(shown.groupId))?.link);
}

/** Rows are kept, changed where they stand and moved only where the order changed: nothing flickers. */
function updateRows(groups, projectNames) {
  const body = part('groups');
  const focused = document.activeElement;
  const ids = new Set(groups.map(({ error_group_id }) => error_group_id));
  for (const [id, { element }] of rows) {
    if (ids.has(id)) continue;
    element.remove();
    rows.delete(id);
  }
  let next = body.firstElementChild;
  for (const group of groups) {
    const id = group.error_group_id;
    const row = rows.get(id) ?? makeRow(id);
    rows.set(id, row);
    row.update(group, projectNames.get(group.project_id));
    if (row.element === next) next = next.nextElementSibling;
    else body.insertBefore(row.element, next);
  }
  body.parentElement.hidden = groups.length === 0;
  // A row that was moved has lost the focus it had.
  if (body.contains(focused)) focused.focus({ preventScroll: true });
}

function makeRow(id) {
  const type = make('b');
  const message = make('span');
  const link = make('a', '', type, ' ', message);
  link.href = `#group=${id}`;
  const culprit = make('p');
  const environment = make('td', 'environment');
  const count = make('td', 'number');
  const time = make('time');
  const status = make('span');
  const element = make(
    'tr',
    '',
    make('td', 'what', link, culprit),
    environment,
    count,
    make('td', 'when', time),
    make('td', 'status', status),
  );
  return {
    element,
    link,
    update(group, projectName) {
      setText(type, group.type ?? '');
      setText(message, group.message);
      setText(
        culprit,
        [projectName, group.level === 'error' ? '' : group.level, group.culprit].filter(Boolean).join(' · '),
      );
      setText(environment, group.environments.join(', '));
      setText(count, group.count.toLocaleString('en'));
      setTime(time, group.last_seen);
      setStatus(status, group.status);
      element.classList.toggle('is-resolved', group.status === 'resolved');
    },
  };
}

function setStatus(element, status) {
  setText(element, status);
  element.className = `pill ${status}`;
}

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'always' });

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

function setTime(element, iso) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 1_000));
  const [size, unit] = units.find(([unitSeconds]) => seconds >= unitSeconds) ?? [1, 'second'];
  setText(element, seconds < 5 ? 'just now' : relative.format(-Math.floor(seconds / size), unit));
  if (element.dateTime === iso) return;
  element.dateTime = iso;
  element.title = new Date(iso).toLocaleString();
}

// ── How errors get here ─────────────────────────────────────────────────────────────────────────────────────────────

let connected = '';

function updateConnect(projects, isEmpty) {
  part('first-project').hidden = projects.length > 0;
  const connect = part('connect');
  connect.hidden = projects.length === 0;
  const state = JSON.stringify([projects, isEmpty]);
  if (state === connected) return;
  connected = state;
  connect.open = isEmpty;
  connect.classList.toggle('is-first', isEmpty);
  setText(
    connect.querySelector('summary'),
    isEmpty ? 'Nothing has been reported yet' : 'Report the errors of your app',
  );
  part('snippets').replaceChildren(
    ...projects.flatMap(({ name, api_key }) => [
      projects.length > 1 ? make('h3', '', name) : '',
      make(
        'pre',
        '',
        `import { init } from '@service/browser';\ninit({ apiKey: '${api_key}', endpoint: '${location.origin}' });`,
      ),
    ]),
  );
}

onSubmit(part('first-project'), async ({ name }) => {
  await api('POST', '/projects', { name });
  show();
});

/** The demo is a page of its own, which most servers do not have. */
async function findDemo() {
  let isThere = false;
  try {
    isThere = (await fetch('/demo', { method: 'HEAD' })).ok;
  } catch {
    // Without a server there is no demo either, and the notice says so.
  }
  for (const element of document.querySelectorAll('.if-demo')) element.hidden = !isThere;
}

// ── One group ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What stands on the page: a group, one of its reports, and what both were read from. */
const shown = { groupId: '', reportId: null, group: null };

async function showGroup(id, isCurrent, moveFocus) {
  const group = await api('GET', `/errors/${id}`);
  if (!isCurrent()) return;
  updateHead(group);
  const isOther = shown.groupId !== id;
  Object.assign(shown, { groupId: id, group });
  if (isOther) {
    part('settle-problem').textContent = '';
    showLatestReport();
  }
  // Where reports pour in, the one that is being read stays.
  part('newer').hidden = group.latest_report?.id === shown.reportId;
  open('group', `${group.type ?? 'Message'}: ${group.message}`, moveFocus);
}

function updateHead({ type, level, message, latest_report, culprit, status, count, first_seen, last_seen }) {
  setText(part('group').querySelector('h1'), type ?? (level === 'error' ? 'Error' : 'Message'));
  // Of a long message, lists have the beginning only.
  setText(part('message'), latest_report?.message ?? message);
  setText(part('culprit'), culprit ?? '');
  setStatus(part('status'), status);
  setText(part('count'), count === 1 ? '1 report' : `${count.toLocaleString('en')} reports`);
  setTime(part('first-seen'), first_seen);
  setTime(part('last-seen'), last_seen);
  setText(part('settle'), status === 'active' ? 'Resolve' : 'Reopen');
}

part('settle').addEventListener('click', async () => {
  const status = shown.group.status === 'active' ? 'resolved' : 'active';
  const problem = part('settle-problem');
  try {
    problem.textContent = '';
    await api('PATCH', `/errors/${shown.groupId}/status`, { status });
  } catch (error) {
    problem.textContent = explain(error);
  }
  show({ moveFocus: false });
});

part('newer').addEventListener('click', () => {
  showLatestReport();
  part('newer').hidden = true;
});

function showLatestReport() {
  const { latest_report: report, tags } = shown.group;
  shown.reportId = report?.id;
  if (!report) return part('report').replaceChildren(make('p', '', 'No report of this error is kept.'));
  part('report').replaceChildren(
    make('div', 'story', makeStack(report), makeTrail(report)),
    make('aside', '', makeTags(tags, report), makeMetadata(report)),
  );
}

function makeSection(title, ...content) {
  return make('section', '', make('h2', '', title), ...content);
}

function makeStack({ frames, stacktrace }) {
  if (frames.length === 0)
    return makeSection('Stack', make('p', 'hint', 'The report has no stack: only an error object brings one.'));
  const opened = frames.find(({ in_app, context }) => in_app && context.length > 0);
  const list = make(
    'ol',
    'frames',
    ...frames.map((frame) => make('li', frame.in_app ? 'in-app' : '', makeFrame(frame, frame === opened))),
  );
  // The frames are those of the error itself; of its causes the raw stack tells the rest.
  const causes = (stacktrace.match(/^Caused by: .*/gm) ?? []).map((cause) => make('p', 'cause', cause));
  const raw = make('details', 'raw', make('summary', '', 'As the browser told it'), make('pre', '', stacktrace));
  return makeSection('Stack', list, ...causes, raw);
}

function makeFrame(frame, isOpen) {
  const file = frame.file?.replace(/^https?:\/\/[^/]+/, '') ?? 'native code';
  const place = [file, frame.line, frame.resolved ? null : frame.column].filter((piece) => piece !== null).join(':');
  // Of a resolved frame the name is still the minified one: a letter or two say nothing.
  const name = frame.resolved && (frame.function?.length ?? 0) < 3 ? null : (frame.function ?? '(anonymous)');
  const title = [
    make('span', 'place', place),
    name === null ? null : make('b', '', name),
    frame.in_app && !frame.resolved ? make('i', '', 'no source map') : null,
  ];
  if (frame.context.length === 0) return make('p', 'frame', make('span', 'title', ...title));
  const code = frame.context.map(({ line, text }) =>
    make('span', line === frame.line ? 'failing' : '', make('i', '', String(line)), `${text}\n`),
  );
  const details = make(
    'details',
    'frame',
    make('summary', '', make('span', 'title', ...title)),
    make('pre', 'code', ...code),
  );
  details.open = isOpen;
  return details;
}

function makeTrail({ breadcrumbs }) {
  if (breadcrumbs.length === 0) return '';
  const list = make('ol', 'trail');
  for (const { timestamp, category, data } of breadcrumbs) {
    const isBad = data.level === 'error' || data.status === 0 || data.status >= 400;
    const time = new Date(timestamp);
    const clock = Number.isNaN(time.valueOf()) ? timestamp : time.toLocaleTimeString('en-GB');
    list.append(
      make(
        'li',
        isBad ? 'bad' : '',
        make('time', '', clock),
        make('b', '', category),
        make('span', '', sayCrumb(category, data)),
      ),
    );
  }
  return makeSection('What happened before', list);
}

/** A breadcrumb in one line. Anything may be in its data. */
function sayCrumb(category, data) {
  if ('url' in data) return `${data.method ?? 'GET'} ${data.url} → ${data.status || 'failed'}`;
  if (Array.isArray(data.arguments))
    return `${data.level}: ${data.arguments.map((argument) => (typeof argument === 'string' ? argument : JSON.stringify(argument))).join(' ')}`;
  if ('to' in data) return `${data.from} → ${data.to}`;
  return String(data.selector ?? data.message ?? JSON.stringify(data));
}

const tagTitles = { environment: 'Environment', release: 'Release', browser: 'Browser', os: 'System', url: 'Page' };

function makeTags(tags, report) {
  const list = make('dl');
  for (const [name, title] of Object.entries(tagTitles)) {
    const values = tags[name] ?? [];
    if (values.length === 0) continue;
    list.append(make('dt', '', title));
    for (const { value, count } of values) {
      list.append(
        make(
          'dd',
          '',
          name === 'url' ? makeLink(value) : value,
          values.length > 1 ? make('span', 'times', ` ×${count}`) : '',
        ),
      );
    }
  }
  if (report.user) list.append(make('dt', '', 'User'), make('dd', '', report.user.id));
  return list.hasChildNodes() ? makeSection('Where', list) : null;
}

function makeLink(url) {
  // A page may call itself `javascript:…`: only what leads to the web becomes a link.
  if (!/^https?:\/\//i.test(url)) return url;
  const link = make('a', '', url);
  link.href = url;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  return link;
}

function makeMetadata({ metadata }) {
  if (Object.keys(metadata).length === 0) return '';
  return makeSection('Metadata', make('pre', '', JSON.stringify(metadata, null, 2)));
}

// ── Start ───────────────────────────────────────────────────────────────────────────────────────────────────────────

addEventListener('hashchange', async () => {
  takeInvitation();
  await useSignInLink();
  show();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) show({ moveFocus: false });
});

takeInvitation();
await useSignInLink();
show();
findDemo();
