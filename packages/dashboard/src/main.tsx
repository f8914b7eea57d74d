import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/groups.css';
import './styles/group.css';
import './styles/screens.css';
import './styles/print.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { interceptNavigation } from './router/address.ts';
import { startSession } from './session/session.ts';

interceptNavigation();
startSession();
render(<App />, document.getElementById('app') as HTMLElement);
