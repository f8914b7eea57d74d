import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/shell.css';
import './style/groups.css';
import './style/group.css';
import './style/screens.css';
import './style/print.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router/address.ts';
import { startSession } from './session/session.ts';

followLinks();
startSession();
render(<App />, document.getElementById('app') as HTMLElement);
