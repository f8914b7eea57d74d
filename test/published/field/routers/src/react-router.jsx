import './start.js';
import { useErrorReport } from '@service/browser/react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider, useNavigate, useRouteError } from 'react-router';
import { Buttons, failingLoader } from './buttons.jsx';

function ErrorPage() {
  useErrorReport(useRouteError());
  return <p>Sorry</p>;
}

function Home() {
  const navigate = useNavigate();
  return <Buttons open={() => navigate('/broken')} />;
}

const router = createMemoryRouter([
  { path: '/', Component: Home, ErrorBoundary: ErrorPage },
  { path: '/broken', Component: Home, loader: failingLoader, ErrorBoundary: ErrorPage },
]);

createRoot(document.querySelector('#root')).render(<RouterProvider router={router} />);
