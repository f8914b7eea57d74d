import { render } from 'preact';
import { desk } from './pages/desk.tsx';
import { fleet } from './pages/fleet.tsx';
import { harbor } from './pages/harbor.tsx';
import { points } from './pages/points.tsx';
import { tickets } from './pages/tickets.tsx';

function App() {
  const actions = [...tickets, ...points, ...fleet, ...desk, ...harbor];
  return (
    <main>
      {actions.map(([name, run]) => (
        <button type="button" id={name} onClick={run}>
          {name}
        </button>
      ))}
    </main>
  );
}

render(<App />, document.querySelector('#app')!);
document.documentElement.dataset.ready = 'yes';
