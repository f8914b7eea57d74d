// Imported first, because errors before it are not reported.
import './start-sdk.ts';
import { reactErrorHandlers } from '@service/browser/react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style.css';

createRoot(document.querySelector('#root')!, reactErrorHandlers()).render(<App />);
