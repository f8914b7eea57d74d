import './start.js';
import { captureException } from '@service/browser';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Buttons, failingLoader } from './buttons.jsx';

function Home() {
  const navigate = useNavigate();
  return <Buttons open={() => navigate({ to: '/broken' })} />;
}

const root = createRootRoute();
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const broken = createRoute({ getParentRoute: () => root, path: '/broken', component: Home, loader: failingLoader });
const router = createRouter({
  routeTree: root.addChildren([home, broken]),
  history: createMemoryHistory({ initialEntries: ['/'] }),
  defaultErrorComponent: () => <p>Sorry</p>,
  defaultOnCatch: (error) => captureException(error),
});

createRoot(document.querySelector('#root')).render(<RouterProvider router={router} />);
